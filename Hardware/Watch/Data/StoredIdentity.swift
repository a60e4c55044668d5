/// Who the watch is on the wire.
enum StoredIdentity: Sendable, Equatable, BitwiseCopyable {
    /// Nothing is stored: a new watch, or one whose flash was erased.
    case unknown
    /// A random number for the watch, and one for its present stream of messages.
    case known(identity: UInt64, epoch: UInt32)
}
