/// What a watch says is acknowledged, and has deleted, and what the phone has applied of it.
package struct WatchFloor: Equatable, Sendable {
    /// What is known of the run that issued the last of the messages.
    package enum Origin: Equatable, Sendable {
        /// Nothing: the watch does not say which it was, or the phone has forgotten the watch since.
        case unknown
        /// The last sequence with this origin that was applied.
        case applied(upTo: UInt32)
    }

    private let sequence: UInt32
    private let origin: Origin
    private let newest: UInt32

    /// - Parameters:
    ///   - sequence: the last of the messages.
    ///   - newest: the highest sequence that was applied of any run.
    package init(_ sequence: UInt32, origin: Origin, newest: UInt32) {
        self.sequence = sequence
        self.origin = origin
        self.newest = newest
    }

    /// How many of the messages the phone had applied and has lost, because an older copy of its database was put back.
    ///
    /// A watch's sequences go on over its runs, so the newest tells, unless an older copy of the watch's flash was put back
    /// before: the sequences after that are those of other messages too. The last message is named by its origin. Where
    /// that one is missing, at least one is.
    package var lost: UInt32 {
        let counted = sequence - min(sequence, newest)
        return switch origin {
        case .unknown: counted
        case .applied(let last): last >= sequence ? 0 : max(counted, 1)
        }
    }
}
