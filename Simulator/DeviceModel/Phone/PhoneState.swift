import PhoneHost
import Watch
import WatchLink

/// The state of a simulated phone: its list, its messages to the watch, its database and its session.
///
/// `ListFeed` computes what the phone sends, as on the real phone. The phone applies a message, acknowledges it, and then
/// brings the watch up to date.
package struct PhoneState: Sendable {
    /// Whether the phone has queued its latest changes for the watch.
    private enum Upkeep {
        case upToDate
        /// The phone has applied a message and has not checked whether the watch needs an update.
        case behind
        /// A test has changed the list. The change gets its time at the next call of `next`.
        case edited
    }

    /// The source of the complication's entries.
    private enum Timeline {
        /// `ListFeed` computes the entries from the list, as on the real phone.
        case computed
        case given([ComplicationEntry])
    }

    package var cost = PhoneCost(readThousandRows: .zero, commit: .zero)
    /// Only the delay of transactions has an effect.
    package var faults = WatchFaults()
    /// The phone uses the calendar in its messages, and tells the watch its time.
    package var calendar = BoardCalendar.unset
    private var database = PhoneDatabase<(header: MessageHeader, datagram: [UInt8])>()
    private var items: PhoneItems
    private var outbox: PhoneOutbox
    private var runs = PhoneRuns()
    private var upkeep = Upkeep.edited
    private var timeline = Timeline.computed
    private var maximumSDU = 0
    private(set) var session: Session

    /// The check-offs that the phone has applied, in order of arrival.
    package private(set) var checkOffs: [PhoneCheckOff] = []
    /// The number of reloads of the list that the phone has sent on request.
    package private(set) var reloads = 0
    private var programs = PhonePrograms()
    private var sending = PhoneFiles()

    /// Creates a phone. `identity` contains its epoch for the streams to its first watch.
    init(list: PhoneItems, _ identity: LinkIdentity) {
        items = list
        outbox = PhoneOutbox(epoch: identity.epoch)
        var limits = LinkLimits(largestSDU: 512)
        // The real phone supports the same kinds of messages.
        limits.kinds = LinkKinds.interactive.and(.files)
        session = Session(identity: identity, limits: limits)
    }

    /// The items that are not checked off, in the order of the list.
    package var waiting: [PhoneItem] { items.open }

    /// Everything that the watch has sent to programs: values, messages, questions and replies, in order of arrival.
    package var heard: [ProgramMessage] { programs.heard }

    /// The state of each file, by the file's transfer number.
    package var files: [UInt64: PhoneFileState] { sending.states }

    // MARK: Changes

    /// Adds an item at the end of the list, or at `rank`. The list is sorted by rank.
    package mutating func add(_ item: PhoneItem, rank: UInt32? = nil) {
        items.add(item, rank: rank)
        upkeep = .edited
    }

    package mutating func rename(_ id: UInt32, to title: String) {
        items.rename(id, to: title)
        upkeep = .edited
    }

    /// Removes an item from the list, as if it was checked off or removed on the phone.
    package mutating func remove(_ id: UInt32) {
        items.remove(id)
        upkeep = .edited
    }

    /// Offers these past items instead of the earlier ones, most likely first. New items must not use their IDs.
    package mutating func offer(_ past: [PhoneItem]) {
        items.offer(past)
        upkeep = .edited
    }

    /// Sends the complication these entries instead of those computed from the list.
    package mutating func send(timeline entries: [ComplicationEntry]) {
        timeline = .given(entries)
        upkeep = .behind
    }

    /// The calendar's time at `now`, in seconds since 1970. Nil if the calendar is not set.
    private func localSeconds(at now: Instant) -> UInt32? { calendar.time(at: now)?.seconds }

    // MARK: Messages of programs

    package mutating func pass(queued name: String, _ payload: [UInt8]) {
        outbox.enqueue(name, payload)
        session.issued(queuedUpTo: outbox.positions.queuedIssued)
    }

    /// Makes the watch show at once the complication's entries that it has. A real phone has a daily budget for this; this one
    /// has none.
    package mutating func pushComplication() {
        written { () throws(CBORError) in try outbox.push() }
        session.issued(queuedUpTo: outbox.positions.queuedIssued)
    }

    /// Sets a latest value for a program. An empty payload clears the value.
    package mutating func pass(latest name: String, _ payload: [UInt8]) {
        outbox.publish(name, payload)
        session.issued(latestUpTo: outbox.positions.latestIssued)
    }

    /// Asks the watch a question for a program. The reply appears in `heard`. The timeout is in milliseconds.
    package mutating func ask(_ name: String, _ payload: [UInt8], timeout: UInt32) {
        programs.ask(name, payload, timeout: timeout)
    }

    /// Answers the watch's questions under a name from now on. If `answer` returns nil, the question fails.
    package mutating func answer(_ name: String, with answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
        programs.answer(name, with: answer)
    }

    /// Sends a file for a program. The phone keeps it until a watch accepts files. Traps if another file has used its transfer
    /// number.
    package mutating func send(_ file: PhoneFile) {
        sending.send(file)
    }

    /// Cancels a file for a program. Does nothing if the transfer has ended.
    package mutating func cancelFile(transfer: UInt64) {
        sending.cancel(transfer)
    }

    private mutating func hear(_ body: borrowing MessageBody, _ delivery: LinkDelivery) {
        let way: ProgramMessage.Way =
            switch delivery {
            case .queued: .queued
            case .latest: .latest
            }
        programs.hear(
            ProgramMessage(
                name: body.name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }, way: way,
                payload: body.payload.withUnsafeBufferPointer { Array($0) }))
    }

    // MARK: The feed

    /// Sets the latest values and queues what the watch lacks, if something has changed.
    private mutating func feedIfBehind(at now: Instant) {
        switch upkeep {
        case .upToDate: return
        case .behind, .edited: noteEdits(at: now)
        }
        written { () throws(CBORError) in
            try publish()
            if session.phase.isOpen { try outbox.bringUpToDate(to: items.window, beyond: items.beyond) }
        }
        session.issued(queuedUpTo: outbox.positions.queuedIssued)
        session.issued(latestUpTo: outbox.positions.latestIssued)
    }

    /// Gives changes of the list their time. The caller brings the watch up to date.
    private mutating func noteEdits(at now: Instant) {
        switch upkeep {
        case .upToDate, .behind: break
        case .edited: items.touch(at: localSeconds(at: now))
        }
        upkeep = .upToDate
    }

    private mutating func publish() throws(CBORError) {
        var messages = try items.latest.messages()
        switch timeline {
        case .computed: break
        case .given(let entries):
            let message = try ComplicationFeed(entries: entries).message()
            messages = messages.map { $0.name == message.name ? message : $0 }
        }
        if items.hasOffered { messages.append(try items.past.message()) }
        outbox.publish(messages)
    }

    // MARK: The link

    /// Handles a new channel, which replaces an older one.
    mutating func connected(at now: Instant, maximumSDU: Int) {
        database.dropAll()
        database.run(at: now)
        self.maximumSDU = maximumSDU
        sending.linkChanged()
        session.connected(at: now, maximumSDU: maximumSDU)
    }

    /// Handles the loss of the channel. Drops all messages whose transactions have not ended.
    mutating func disconnected(at now: Instant) {
        database.dropAll()
        programs.loseExchanges()
        sending.linkChanged()
        session.disconnected(at: now)
    }

    mutating func receive(_ datagram: [UInt8], at now: Instant) {
        switch session.receive(datagram.span, at: now) {
        case .none, .duplicate, .opened: break
        case .closed(.peerLeft(let goodbye)): if goodbye.fault == .brokenTransfer { sending.linkBroke() }
        case .closed: break
        case .file:
            guard let fault = sending.take(datagram, at: now) else { return }
            if fault == .brokenTransfer { sending.linkBroke() }
            session.close(.protocolFault(fault), at: now)
        case .interactive(let header): programs.take(header, datagram)
        case .reply(let header): programs.take(header, datagram)
        case .helloArrived(let hello):
            meet(hello, at: now)
        case .message(let header):
            let body = try? MessageBody(datagram.span, header: header)
            let isReload = body?.name.matches(ReloadMessage.name) ?? false
            let length = cost.transaction(rows: isReload ? waiting.count : 0) + faults.phone
            database.begin((header, datagram), taking: length, cost, at: now)
            endTransactions(at: now)
        case .acknowledged(let acknowledgement):
            for message in outbox.acknowledged(acknowledgement) { programs.hear(message) }
            if let check = acknowledgement.rowsCheck {
                outbox.compare(check, applied: acknowledgement.queued, at: now)
                fallBehind()
            }
            if outbox.dueReload != nil { fallBehind() }
        }
    }

    /// Handles the watch's hello, its first message on a link. Queues what the watch lacks first, because the phone's own hello
    /// says how much that is.
    private mutating func meet(_ hello: PeerHello, at now: Instant) {
        noteEdits(at: now)
        let arrival = runs.meet(hello)
        outbox.positions.peerEpoch = hello.epoch
        (outbox.positions.queuedApplied, outbox.positions.latestApplied) = (
            max(arrival.applied.queued, hello.queuedFloor), arrival.applied.latest
        )
        written { () throws(CBORError) in
            try publish()
            outbox.meet(hello, overDatagramsOf: maximumSDU, at: now)
            try outbox.bringUpToDate(to: items.window, beyond: items.beyond)
        }
        session.accept(
            outbox.positions, epoch: outbox.epoch, localTime: localSeconds(at: now), lost: arrival.lost, at: now)
        outbox.positions = session.positions
    }

    private mutating func endTransactions(at now: Instant) {
        while let transaction = database.ended(by: now) { apply(transaction) }
    }

    private typealias Transaction = PhoneDatabase<(header: MessageHeader, datagram: [UInt8])>.Transaction

    private mutating func apply(_ transaction: Transaction) {
        let (header, datagram) = transaction.message
        var outcome = ApplyOutcome.applied
        let isNew =
            header.delivery == .latest || runs.note(queued: header.sequence, origin: header.origin)
        if header.delivery == .queued { outbox.positions.queuedApplied = header.sequence }
        do throws(CBORError) {
            let body = try MessageBody(datagram.span, header: header)
            var reader = body.reader
            switch ApplicationMessage(name: body.name) {
            case .check: outcome = check(try CheckMessage(from: &reader), transaction, isNew: isNew)
            case .reload: if isNew { try reload(try ReloadMessage(from: &reader)) }
            case .add: outcome = add(try AddMessage(from: &reader), transaction, isNew: isNew)
            case .list, .title, .complication, .past:
                if header.delivery == .queued { outcome = .rejected(.unknownName) }
            // A queued message that the watch has withdrawn has no name, and nothing to apply.
            case nil: if isNew, !body.name.isEmpty { hear(body, header.delivery) }
            }
        } catch {
            outcome = .rejected(.malformed)
        }
        session.applied(
            header.delivery, sequence: header.sequence, heldFor: transaction.ends - transaction.arrived,
            outcome: outcome, at: transaction.ends)
        outbox.positions.queuedApplied = session.positions.queuedApplied
        outbox.positions.latestApplied = session.positions.latestApplied
        fallBehind()
    }

    /// Records that the watch may need an update.
    private mutating func fallBehind() {
        switch upkeep {
        case .upToDate: upkeep = .behind
        case .behind, .edited: break
        }
    }

    /// Checks an item off. Does so once for each message. Refuses an item that the list does not have.
    private mutating func check(
        _ message: CheckMessage, _ transaction: Transaction, isNew: Bool
    ) -> ApplyOutcome {
        outbox.checkOffArrived(of: message.item)
        guard isNew else { return .applied }
        let sequence = transaction.message.header.sequence
        let outcome = items.check(message.item, at: localSeconds(at: transaction.ends))
        checkOffs.append(
            PhoneCheckOff(
                id: message.item, sequence: sequence, time: transaction.arrived, committed: transaction.ends))
        return outcome
    }

    /// Adds a past item to the list. Does so once for each message. Refuses an item that the phone never offered.
    private mutating func add(
        _ message: AddMessage, _ transaction: Transaction, isNew: Bool
    ) -> ApplyOutcome {
        let row = items.offered(message.item) ?? FeedRow(id: message.item, rank: 0, title: ItemTitle())
        outbox.additionArrived(of: row)
        guard isNew else { return .applied }
        return items.addBack(message.item, at: localSeconds(at: transaction.ends))
    }

    private mutating func reload(_ message: ReloadMessage) throws(CBORError) {
        reloads += 1
        outbox.request(message)
        try outbox.bringUpToDate(to: items.window, beyond: items.beyond)
        session.issued(queuedUpTo: outbox.positions.queuedIssued)
    }

    // MARK: Tasks

    mutating func next(at now: Instant) -> PhoneAction {
        endTransactions(at: now)
        feedIfBehind(at: now)
        while true {
            switch session.next(at: now) {
            case .transmit(let request):
                let frame = session.frame(for: request)
                session.sent(control: frame, at: now)
                return .send(
                    written { () throws(CBORError) in
                        try [UInt8](capacity: 512) { writer throws(CBORError) in try frame.encode(into: &writer) }
                    })
            case .sendQueued(let sequence):
                if let frame = programs.nextFrame(&session) { return .send(frame) }
                guard let datagram = outbox.datagram(ofQueued: sequence) else {
                    preconditionFailure("what is not acknowledged is in the queue")
                }
                session.sent(.queued, sequence: sequence, at: now)
                return .send(datagram)
            case .sendLatest(let revision):
                if let frame = programs.nextFrame(&session) { return .send(frame) }
                guard let next = outbox.datagram(ofValueAfter: revision) else {
                    session.skipped(latestUpTo: outbox.positions.latestIssued)
                    continue
                }
                session.sent(.latest, sequence: next.revision, at: now)
                return .send(next.datagram)
            case .close:
                disconnected(at: now)
                return .close
            case .wait(let until):
                if let frame = programs.nextFrame(&session) { return .send(frame) }
                if let frame = sending.nextFrame(session, at: now) { return .send(frame) }
                let offer = session.mayTransfer ? sending.due(after: now) : nil
                return .wait(until: [until, database.nextEnd, offer].compactMap { $0 }.min())
            }
        }
    }
}

/// Runs a step that encodes messages. Traps on an error: the messages are never longer than the limits of the feed and the
/// watch.
private func written<Result>(_ step: () throws(CBORError) -> Result) -> Result {
    do throws(CBORError) {
        return try step()
    } catch {
        preconditionFailure("the feed knows the sizes of its messages: \(error)")
    }
}
