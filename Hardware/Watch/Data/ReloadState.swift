/// Whether a list that the watch asked for again has come.
enum ReloadState: Sendable, Equatable, BitwiseCopyable {
    /// None has come since the watch started.
    case none
    /// The one with this token has come in full.
    case arrived(token: UInt32)
}
