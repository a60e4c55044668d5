import WatchLink

/// How the phone's messages to a watch continue after the watch's hello, the first message of a link.
///
/// An epoch is a random number that the phone chooses for each watch. When the phone opens its database, it chooses a new
/// random epoch, but does not restart the message numbers. When the phone restarts the numbers from 1, it also chooses a new
/// epoch.
package enum FeedResumption: Equatable, Sendable {
    /// The phone continues after the last messages that the watch says it has applied.
    case resume(applied: Acknowledgement)
    /// The phone chooses a new random epoch for the watch, numbers its messages from 1, and sends everything again.
    case startOver(StartOver)

    package enum StartOver: Equatable, Sendable {
        /// The phone does not know the watch. Or the watch names no epoch, and has acknowledged no queued message.
        case newWatch
        /// The watch names no epoch, although it has acknowledged queued messages of this phone.
        case forgetfulWatch
        /// The watch names an epoch that this phone does not remember.
        case unknownEpoch
        /// The watch has applied more than this phone remembers having sent.
        case restoredPhone
        /// The watch has applied less than it once acknowledged. The phone has deleted the acknowledged messages.
        case restoredWatch
        /// The phone has used half of the message numbers.
        case numbersUsedUp
    }

    /// Half of the range of message numbers. Once the phone has used this number for a watch, the phone restarts the numbers
    /// from 1 when that watch next connects. So the numbers never run out.
    package static let lastNumber: UInt32 = 1 << 31

    /// Compares a watch's hello with what the phone has stored. The phone resumes if all of these hold:
    ///
    /// - The watch names an epoch of the phone that the phone remembers.
    /// - The phone remembers that it issued every message that the watch has applied.
    /// - The watch has applied every queued message that it acknowledged. The phone has deleted those messages, so it could not
    ///   send them again.
    /// - The phone's queued messages in that epoch have numbers below `lastNumber`.
    ///
    /// - Parameters:
    ///   - epoch: the phone's present epoch for this watch; nil if the phone does not know the watch.
    ///   - positions: the stored positions of the message streams to and from this watch.
    ///   - past: returns the last numbers that the phone issued in an earlier epoch; nil if it does not remember the epoch.
    package init<Failure>(
        _ hello: PeerHello, epoch: UInt32?, positions: StreamPositions,
        past: (UInt32) throws(Failure) -> StreamRun?
    ) throws(Failure) {
        guard let epoch else {
            self = .startOver(.newWatch)
            return
        }
        guard let claimed = hello.knownEpoch else {
            self = .startOver(positions.queuedAcknowledged == 0 ? .newWatch : .forgetfulWatch)
            return
        }
        let present = StreamRun(epoch: epoch, queued: positions.queuedIssued, latest: positions.latestIssued)
        guard let issued = claimed == epoch ? present : try past(claimed) else {
            self = .startOver(.unknownEpoch)
            return
        }
        let applied = Acknowledgement(queued: hello.queuedApplied, latest: hello.latestApplied)
        if applied.queued > issued.queued || applied.latest > issued.latest {
            self = .startOver(.restoredPhone)
        } else if applied.queued < positions.queuedAcknowledged {
            self = .startOver(.restoredWatch)
        } else if issued.queued >= FeedResumption.lastNumber {
            self = .startOver(.numbersUsedUp)
        } else {
            self = .resume(applied: applied)
        }
    }
}

extension FeedResumption {
    /// Whether the watch remembers an epoch or a message that the database does not know. The database may then be a restored
    /// older copy.
    package var isOlderDatabase: Bool {
        switch self {
        case .startOver(.unknownEpoch), .startOver(.restoredPhone): true
        case .resume, .startOver(.newWatch), .startOver(.forgetfulWatch), .startOver(.restoredWatch),
            .startOver(.numbersUsedUp):
            false
        }
    }
}

extension FeedResumption.StartOver: CustomStringConvertible {
    /// The reason, worded to follow the watch's name, for example `is new`.
    package var description: String {
        switch self {
        case .newWatch: "is new"
        case .forgetfulWatch: "has lost records of its flash, or was reset"
        case .unknownEpoch:
            "remembers a run that the database does not: it was with another phone, or an older copy of either was put back"
        case .restoredPhone:
            "has applied more than the database has sent: an older copy of the database was put back"
        case .restoredWatch:
            "has applied less than it acknowledged: an older copy of its flash was put back, or it is a copy itself"
        case .numbersUsedUp: "has used half of its message numbers, which start from 1 again"
        }
    }
}
