import PhoneHost
import WatchLink

/// The messages from a simulated phone to its watch: the queue, the latest values, and the phone's record of the watch's rows.
struct PhoneOutbox {
    /// The epoch of the streams to the watch: the number under which their sequence numbers count. Never 0.
    private(set) var epoch: UInt32
    var positions = StreamPositions()
    private var projection = FeedProjection.nothing
    /// The messages that the watch has not acknowledged, by sequence number.
    private var queue: [UInt32: Message] = [:]
    /// The latest values of the phone and of programs, by revision.
    private var values: [UInt32: Message] = [:]
    /// The epoch that the phone uses next if the watch does not know the current one.
    private var nextEpoch: UInt32
    /// The largest message that the watch accepts, in bytes.
    private var largestBody = 0
    private var reload = Reload.none
    private var repairedAt: Instant?

    private struct Message {
        var name: String
        /// The message's value. Empty if the value was cleared.
        var payload: [UInt8]
        var charge = MessageCharge.nothing

        /// Whether the message is from a program and not from the phone itself.
        var isOfProgram: Bool { ApplicationMessage(text: name) == nil }

        func datagram(_ header: MessageHeader) -> [UInt8] {
            let body = ProgramMessage(name: name, way: .queued, payload: payload).body
            return PhonePrograms.frame(body) { writer throws(CBORError) in
                try header.encode(into: &writer, charge: charge)
            }
        }

        func rejected(_ rejection: Rejection) -> ProgramMessage {
            ProgramMessage(name: name, way: .rejected(rejection.reason), payload: payload)
        }
    }

    /// The state of the watch's requests for its list (reloads).
    private enum Reload {
        case none
        /// The queue contains an answer, up to this sequence number. `waiting` is the newest request since then.
        case answered(upTo: UInt32, waiting: ReloadMessage?)
    }

    init(epoch: UInt32) {
        self.epoch = epoch
        nextEpoch = epoch
    }

    /// Resumes the streams after the watch's hello, its first message on a link. The phone has only one watch, so every watch
    /// that connects is that one.
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
            let kept = queue.sorted { $0.key < $1.key }.map(\.value).filter(\.isOfProgram)
            queue = [:]
            for message in kept { enqueue(message) }
            reload = .none
            projection = .nothing
        }
    }

    private mutating func enqueue(_ message: Message) {
        positions.queuedIssued += 1
        queue[positions.queuedIssued] = message
    }

    mutating func enqueue(_ name: String, _ payload: [UInt8]) { enqueue(Message(name: name, payload: payload)) }

    /// Queues an empty message about the complication. The watch then shows at once the entries that it has.
    mutating func push() throws(CBORError) {
        let message = try ComplicationFeed.push()
        enqueue(Message(name: message.name.text, payload: message.payload, charge: .complication))
    }

    /// Sets a latest value under a new revision. An empty payload clears it.
    mutating func publish(_ name: String, _ payload: [UInt8]) {
        values = values.filter { $0.value.name != name }
        positions.latestIssued += 1
        values[positions.latestIssued] = Message(name: name, payload: payload)
    }

    /// Sets those latest values that have changed, under new revisions.
    mutating func publish(_ messages: [FeedMessage]) {
        for message in messages {
            let name = message.name.text
            guard !values.values.contains(where: { $0.name == name && $0.payload == message.payload }) else { continue }
            publish(name, message.payload)
        }
    }

    /// Records the watch's request for its list. If an answer to an earlier request is in the queue, the newest request waits
    /// for it.
    mutating func request(_ message: ReloadMessage) {
        switch reload {
        case .none: reload = .answered(upTo: positions.queuedAcknowledged, waiting: message)
        case .answered(let answer, _): reload = .answered(upTo: answer, waiting: message)
        }
    }

    /// Queues the changes that turn the watch's rows into `window`, or the whole window if the watch has requested it.
    ///
    /// - Parameter beyond: the rows after the window, for a request for everything.
    mutating func bringUpToDate(to window: FeedWindow, beyond: @autoclosure () -> [FeedRow]) throws(CBORError) {
        let due = dueReload
        let batches = WatchFeed.batches(
            from: projection, to: window, largestBody: largestBody, reloadToken: due?.token,
            beyond: due?.extent == .everything ? beyond() : [])
        for batch in batches {
            let message = try batch.message(applied: positions.queuedApplied)
            enqueue(message.name.text, message.payload)
            projection.apply(batch)
        }
        if due != nil { reload = .answered(upTo: positions.queuedIssued, waiting: nil) }
    }

    var dueReload: ReloadMessage? {
        guard case .answered(let answer, let waiting?) = reload, answer <= positions.queuedAcknowledged else {
            return nil
        }
        return waiting
    }

    /// Records that the watch has checked this item off and removed its row.
    mutating func checkOffArrived(of item: UInt32) {
        projection.checkOffArrived(of: item)
    }

    /// Records that the watch has added this row's item to its list.
    mutating func additionArrived(of row: FeedRow) {
        projection.additionArrived(of: row)
    }

    /// Compares the watch's checksum of its rows with the phone's record. `applied` is the last message that the watch had
    /// applied. If the rows differ, the phone sends the list again.
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

    /// Removes the messages that the watch has applied. Returns those program messages that it rejected.
    @discardableResult
    mutating func acknowledged(_ word: Acknowledgement) -> [ProgramMessage] {
        var refused: [ProgramMessage] = []
        for index in 0..<word.rejected.count {
            let rejection = word.rejected[index]
            guard let message = queue[rejection.sequence] else { continue }
            if message.isOfProgram { refused.append(message.rejected(rejection)) }
            if FeedProjection.isLost(rejecting: message.name) { projection = .nothing }
        }
        if let rejection = word.rejectedLatest, let value = values[rejection.sequence], value.isOfProgram {
            refused.append(value.rejected(rejection))
        }
        queue = queue.filter { $0.key > word.queued }
        positions.queuedAcknowledged = min(positions.queuedIssued, max(positions.queuedAcknowledged, word.queued))
        positions.latestAcknowledged = word.latest
        return refused
    }

    func datagram(ofQueued sequence: UInt32) -> [UInt8]? {
        queue[sequence]?.datagram(MessageHeader(.queued, sequence: sequence))
    }

    /// The latest value with the lowest revision above `revision`. Nil if there is none.
    func datagram(ofValueAfter revision: UInt32) -> (revision: UInt32, datagram: [UInt8])? {
        guard let next = values.keys.filter({ $0 > revision }).min(), let value = values[next] else { return nil }
        let header = MessageHeader(.latest, sequence: next, hasValue: !value.payload.isEmpty)
        return (next, value.datagram(header))
    }
}
