/// What the watch has seen of the phone's streams.
struct LinkPositions: Sendable, Equatable, BitwiseCopyable {
    /// The epoch of the phone's streams; 0, which the wire gives to no epoch, before the first.
    var peerEpoch: UInt32 = 0
    /// The last queued message of that epoch that was applied.
    var queuedApplied: UInt32 = 0
    /// The last revision of a latest value of that epoch that was applied.
    var latestApplied: UInt32 = 0
}
