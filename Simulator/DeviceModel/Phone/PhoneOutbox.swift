import ListFeed
import WatchLink

/// What a simulated phone keeps for its watch: the queue, the latest values, and what the watch has been given.
struct PhoneOutbox {
    /// The epoch of the streams to the watch, never 0.
    private(set) var epoch: UInt32
    /// Where the streams stand.
    var positions = StreamPositions()
    private var projection = FeedProjection.nothing
    /// Messages by sequence, until they are acknowledged.
    private var queue: [UInt32: Queued] = [:]
    /// The values of programs, with their revisions; empty for one that was cleared.
    private var values: [String: (revision: UInt32, payload: [UInt8])] = [:]
    private var latest: [ApplicationMessage: (revision: UInt32, message: FeedMessage)] = [:]
    /// The epoch for a watch that does not remember the present one.
    private var nextEpoch: UInt32
    /// The most bytes of a message that the watch takes.
    private var largestBody = 0
    private var reload = Reload.none
    private var repairedAt: Instant?

    /// What has a place in the queue.
    private enum Queued {
        case feed(FeedMessage)
        case program(ProgramMessage)
        /// The complication is to show what it has at once.
        case push

        var program: ProgramMessage? {
            switch self {
            case .feed, .push: nil
            case .program(let message): message
            }
        }
    }

    /// The answers to the watch's reloads.
    private enum Reload {
        case none
        /// The queue has an answer, which ends with this message; the newest reload since then waits.
        case answered(upTo: UInt32, waiting: ReloadMessage?)
    }

    init(epoch: UInt32) {
        self.epoch = epoch
        nextEpoch = epoch
    }

    /// Brings the streams in line with what a watch says when it connects. The phone has one watch, whoever that is.
    mutating func meet(_ hello: PeerHello, overDatagramsOf maximumSDU: Int, at now: Instant) {
        let frame = min(maximumSDU, Int(hello.limits.largestSDU))
        largestBody = min(frame - MessageHeader.size, Int(hello.limits.largestMessage))
        switch FeedResumption(hello, epoch: epoch, positions: positions, past: { _ in nil }) {
        case .resume(let applied):
            acknowledged(applied)
            if case .rows(let check) = hello.report { compare(check, applied: hello.queuedApplied, at: now) }
        case .startOver:
            epoch = nextEpoch
            nextEpoch = epoch &+ 2
            (positions.queuedIssued, positions.queuedAcknowledged, positions.latestAcknowledged) = (0, 0, 0)
            let kept = queue.sorted { $0.key < $1.key }.compactMap(\.value.program)
            queue = [:]
            for message in kept { enqueue(message) }
            reload = .none
            projection = .nothing
        }
    }

    /// Puts a message of a program into the queue.
    mutating func enqueue(_ message: ProgramMessage) {
        positions.queuedIssued += 1
        queue[positions.queuedIssued] = .program(message)
    }

    /// Queues a push of the complication.
    mutating func push() {
        positions.queuedIssued += 1
        queue[positions.queuedIssued] = .push
    }

    /// Gives a value of a program a new revision; empty clears it.
    mutating func publish(_ name: String, _ payload: [UInt8]) {
        positions.latestIssued += 1
        values[name] = (positions.latestIssued, payload)
    }

    /// Gives the latest values that have changed their new revisions.
    mutating func publish(_ messages: [FeedMessage]) {
        for message in messages where latest[message.name]?.message != message {
            positions.latestIssued += 1
            latest[message.name] = (positions.latestIssued, message)
        }
    }

    /// The watch asks for its list again. While an answer is in the queue, the newest request waits for it.
    mutating func request(_ message: ReloadMessage) {
        switch reload {
        case .none: reload = .answered(upTo: positions.queuedAcknowledged, waiting: message)
        case .answered(let answer, _): reload = .answered(upTo: answer, waiting: message)
        }
    }

    /// Queues what the watch lacks of `window`, or what it asks for again.
    ///
    /// - Parameter beyond: the rows behind the window, for a reload of everything.
    mutating func bringUpToDate(to window: FeedWindow, beyond: @autoclosure () -> [FeedRow]) throws(CBORError) {
        let due = dueReload
        let batches = WatchFeed.batches(
            from: projection, to: window, largestBody: largestBody, reloadToken: due?.token,
            beyond: due?.extent == .everything ? beyond() : [])
        for batch in batches {
            positions.queuedIssued += 1
            queue[positions.queuedIssued] = .feed(try batch.message(applied: positions.queuedApplied))
            projection.apply(batch)
        }
        if due != nil { reload = .answered(upTo: positions.queuedIssued, waiting: nil) }
    }

    /// The reload to answer now.
    var dueReload: ReloadMessage? {
        guard case .answered(let answer, let waiting?) = reload, answer <= positions.queuedAcknowledged else {
            return nil
        }
        return waiting
    }

    /// The watch has sent a check-off of this item, and taken its row off.
    mutating func checkOffArrived(of item: UInt32) {
        projection.checkOffArrived(of: item)
    }

    /// The watch has sent an addition of this row's item, and put it on its list.
    mutating func additionArrived(of row: FeedRow) {
        projection.additionArrived(of: row)
    }

    /// Compares the rows check of a watch that has applied our messages up to `applied`. Where the watch has other rows,
    /// it gets the list again.
    mutating func compare(_ reported: UInt32, applied: UInt32, at now: Instant) {
        let agreement = RowsAgreement(
            reported: reported, projection: projection, isComplete: applied == positions.queuedIssued,
            sinceRepair: repairedAt.map { Double((now - $0).count) / 1_000_000 })
        switch agreement {
        case .agreed, .repairedLately: break
        case .repair:
            projection = .nothing
            repairedAt = now
        }
    }

    /// Drops the messages that the watch has applied. Returns those of programs that it has rejected.
    @discardableResult
    mutating func acknowledged(_ word: Acknowledgement) -> [ProgramMessage] {
        var refused: [ProgramMessage] = []
        for index in 0..<word.rejected.count {
            let rejection = word.rejected[index]
            switch queue[rejection.sequence] {
            case .feed(let message):
                if FeedProjection.isLost(rejecting: message.name.text) { projection = .nothing }
            case .program(let message):
                refused.append(
                    ProgramMessage(name: message.name, way: .rejected(rejection.reason), payload: message.payload))
            case .push, nil: break
            }
        }
        if let rejection = word.rejectedLatest,
            let value = values.first(where: { $0.value.revision == rejection.sequence })
        {
            refused.append(
                ProgramMessage(name: value.key, way: .rejected(rejection.reason), payload: value.value.payload))
        }
        queue = queue.filter { $0.key > word.queued }
        positions.queuedAcknowledged = min(positions.queuedIssued, max(positions.queuedAcknowledged, word.queued))
        positions.latestAcknowledged = word.latest
        return refused
    }

    /// The datagram of a queued message, nil where there is none.
    func datagram(ofQueued sequence: UInt32) throws(CBORError) -> [UInt8]? {
        switch queue[sequence] {
        case nil: nil
        case .feed(let message): try message.datagram(.queued, sequence: sequence)
        case .program(let message): PhoneOutbox.datagram(of: message, MessageHeader(.queued, sequence: sequence))
        case .push: try PhoneOutbox.datagram(ofPush: sequence)
        }
    }

    /// The latest value with the lowest revision above `revision`, nil for none.
    func datagram(ofValueAfter revision: UInt32) throws(CBORError) -> (revision: UInt32, datagram: [UInt8])? {
        let feed = latest.values.filter { $0.revision > revision }.min { $0.revision < $1.revision }
        let program = values.filter { $0.value.revision > revision }.min { $0.value.revision < $1.value.revision }
        if let program, program.value.revision < feed?.revision ?? .max {
            let message = ProgramMessage(name: program.key, way: .latest, payload: program.value.payload)
            let header = MessageHeader(
                .latest, sequence: program.value.revision, hasValue: !program.value.payload.isEmpty)
            return (program.value.revision, PhoneOutbox.datagram(of: message, header))
        }
        guard let feed else { return nil }
        return (feed.revision, try feed.message.datagram(.latest, sequence: feed.revision))
    }

    /// A queued message about the complication, without entries, of the kind that is charged to the budget of pushes.
    private static func datagram(ofPush sequence: UInt32) throws(CBORError) -> [UInt8] {
        let datagram = try ComplicationFeed(entries: []).message().datagram(.queued, sequence: sequence)
        return [FrameKind.complication.rawValue] + datagram.dropFirst()
    }

    private static func datagram(of message: ProgramMessage, _ header: MessageHeader) -> [UInt8] {
        PhonePrograms.frame(message.body) { writer throws(CBORError) in try header.encode(into: &writer) }
    }
}
