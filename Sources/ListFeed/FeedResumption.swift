import WatchLink

/// How the streams to a watch continue after its hello.
package enum FeedResumption: Equatable, Sendable {
    /// The watch remembers the streams. It gets the changes since what it has applied.
    case resume(applied: Acknowledgement)
    /// The watch does not remember the streams. They get a new epoch, numbers from 1, and the whole content.
    case startOver(StartOver)

    package enum StartOver: Equatable, Sendable {
        /// The watch has not acknowledged anything.
        case newWatch
        /// The watch remembers nothing of this phone, although it has acknowledged messages.
        case forgetfulWatch
        /// The watch remembers an epoch that this phone does not.
        case unknownEpoch
        /// The watch has applied more than this phone remembers sending.
        case restoredPhone
        /// The watch has applied less than it acknowledged. The phone has deleted the acknowledged messages.
        case restoredWatch
        /// The stream has used half of its numbers.
        case numbersUsedUp
    }

    /// A stream that has reached this number starts again from 1 at the next hello, so the numbers never run out.
    package static let lastNumber: UInt32 = 1 << 31

    /// Decides from a watch's hello and the stored state of its streams.
    ///
    /// The watch remembers the streams if it names one of their epochs, and has applied at most what that epoch issued. It also
    /// must have applied all that it acknowledged, because the phone cannot send those messages again.
    ///
    /// - Parameters:
    ///   - epoch: the present epoch of the streams; nil for an unknown watch.
    ///   - past: what an earlier epoch had issued at its end; nil for an unknown epoch.
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
    /// Whether the watch knows more than the database, so an older copy of the database was put back.
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
    /// The end of a sentence that begins with the watch.
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
