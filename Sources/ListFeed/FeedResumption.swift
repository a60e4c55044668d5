import WatchLink

/// How the streams to a watch continue after its hello.
package enum FeedResumption: Equatable, Sendable {
    /// The watch remembers the streams: it has applied this much, and gets the changes since then.
    case resume(applied: Acknowledgement)
    /// It does not: the streams get a new epoch, their numbers start again, and the watch gets everything.
    case startOver(StartOver)

    /// Why a watch gets everything again.
    package enum StartOver: Equatable, Sendable {
        /// It was never given anything that it has acknowledged.
        case newWatch
        /// It remembers nothing of this phone, although it has acknowledged messages.
        case forgetfulWatch
        /// It remembers an epoch that this phone does not.
        case unknownEpoch
        /// It has applied more than this phone remembers to have issued.
        case restoredPhone
        /// It has applied less than it acknowledged, and what is acknowledged is deleted.
        case restoredWatch
        /// Half of the numbers of the stream are used.
        case numbersUsedUp
    }

    /// A stream whose newest number is this or above starts again from 1, so that the numbers never run out.
    package static let lastNumber: UInt32 = 1 << 31

    /// Decides from a watch's hello and the stored state of its streams.
    ///
    /// The watch remembers the streams where it names an epoch of them, has applied no more than was issued in it, and no
    /// less than it has acknowledged: acknowledged messages have left the queue and cannot be sent again.
    ///
    /// - Parameters:
    ///   - epoch: the present epoch of the streams to the watch; nil for an unknown watch.
    ///   - positions: the positions of those streams.
    ///   - past: what was issued in an earlier epoch until its end; nil for an unknown one.
    package init<Failure>(
        _ hello: PeerHello, epoch: UInt32?, positions: StreamPositions,
        past: (UInt32) throws(Failure) -> StreamEnd?
    ) throws(Failure) {
        let everIssued = StreamEnd(queued: positions.queuedIssued, latest: positions.latestIssued)
        guard let epoch else {
            self = .startOver(.newWatch)
            return
        }
        guard let claimed = hello.knownEpoch else {
            self = .startOver(positions.queuedAcknowledged == 0 ? .newWatch : .forgetfulWatch)
            return
        }
        guard let issued = claimed == epoch ? everIssued : try past(claimed) else {
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
    /// Whether the watch knows of more than the database: an older copy of it was put back.
    package var isOlderDatabase: Bool {
        switch self {
        case .startOver(.unknownEpoch), .startOver(.restoredPhone): true
        case .resume, .startOver(.newWatch), .startOver(.forgetfulWatch), .startOver(.restoredWatch),
            .startOver(.numbersUsedUp):
            false
        }
    }
}

/// The highest numbers that were issued in an epoch.
package struct StreamEnd: Equatable, Sendable {
    package var queued: UInt32
    package var latest: UInt32

    package init(queued: UInt32, latest: UInt32) {
        self.queued = queued
        self.latest = latest
    }
}

extension FeedResumption.StartOver: CustomStringConvertible {
    /// What the watch has said, as the end of a line that begins with the watch.
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
        case .numbersUsedUp: "has been sent so many messages that they are numbered from 1 again"
        }
    }
}
