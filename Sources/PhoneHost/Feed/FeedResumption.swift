import WatchLink

/// Decides how the phone's messages to a watch continue after the watch's hello, the first message of a link.
///
/// An epoch is a random number that the phone draws when it starts to number its messages from 1.
package enum FeedResumption: Equatable, Sendable {
    /// The watch remembers the messages so far. It gets the messages after the last one that it has applied.
    case resume(applied: Acknowledgement)
    /// The watch does not remember the messages so far. It gets a new epoch, numbers from 1, and the whole content.
    case startOver(StartOver)

    package enum StartOver: Equatable, Sendable {
        /// The phone does not know the watch, or the watch has not acknowledged anything.
        case newWatch
        /// The watch remembers nothing of this phone, although it has acknowledged messages.
        case forgetfulWatch
        /// The watch remembers an epoch that this phone does not know.
        case unknownEpoch
        /// The watch has applied more than this phone remembers having sent.
        case restoredPhone
        /// The watch has applied less than it once acknowledged. The phone has deleted the acknowledged messages.
        case restoredWatch
        /// The phone has used half of the message numbers.
        case numbersUsedUp
    }

    /// Half of all message numbers. If the phone has used this number, it numbers from 1 again when the watch next connects.
    /// So the numbers never run out.
    package static let lastNumber: UInt32 = 1 << 31

    /// Decides from a watch's hello and from what the phone has stored.
    ///
    /// The phone resumes if the watch names one of the phone's epochs, and has applied at most what that epoch issued. The watch
    /// must also have applied all that it acknowledged, because the phone has deleted those messages.
    ///
    /// - Parameters:
    ///   - epoch: the present epoch; nil for an unknown watch.
    ///   - past: returns the last message numbers of an earlier epoch; nil for an unknown epoch.
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
    /// Whether the watch knows more than the database. If so, an older copy of the database was restored.
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
    /// The reason, as the rest of a sentence whose subject is the watch.
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
