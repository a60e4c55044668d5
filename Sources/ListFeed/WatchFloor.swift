/// Compares the messages that a watch reports as acknowledged, and has deleted, with those that the phone has applied.
package struct WatchFloor: Equatable, Sendable {
    /// The run that issued the last acknowledged message.
    package enum Origin: Equatable, Sendable {
        /// The watch does not name the run, or the phone has since forgotten the watch.
        case unknown
        /// The highest sequence of that run that the phone has applied.
        case applied(upTo: UInt32)
    }

    private let sequence: UInt32
    private let origin: Origin
    private let newest: UInt32

    /// - Parameters:
    ///   - sequence: the last acknowledged message.
    ///   - newest: the highest sequence of any run that the phone has applied.
    package init(_ sequence: UInt32, origin: Origin, newest: UInt32) {
        self.sequence = sequence
        self.origin = origin
        self.newest = newest
    }

    /// How many of these messages the phone applied and then lost, because an older copy of its database was put back.
    ///
    /// A watch's sequences continue over its runs, so the gap above `newest` counts the lost messages. The gap is wrong if an
    /// older copy of the watch's flash was put back, because the watch then uses sequences again. If the run of the last message
    /// shows it missing, the result is at least 1.
    package var lost: UInt32 {
        let counted = sequence - min(sequence, newest)
        return switch origin {
        case .unknown: counted
        case .applied(let last): last >= sequence ? 0 : max(counted, 1)
        }
    }
}
