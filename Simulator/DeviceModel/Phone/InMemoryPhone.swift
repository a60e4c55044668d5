import Foundation
import Logging
import PhoneHost
import Synchronization
import Watch
import WatchLink
import Wormhole

/// Tapline's phone with its database in memory, on the virtual clock of a watch. Its transactions take as long as `cost` says.
///
/// The phone performs no I/O: `VirtualRadio` carries its datagrams. The same seed, list and events always produce the same
/// datagrams.
package final class InMemoryPhone: Sendable {
    struct Contents {
        let machine: EndpointMachine
        let phone: PhoneMachine
        let programs = PhonePrograms()
        fileprivate var channel: ChannelNumber = 0
        fileprivate var link = Link.down
        /// The watch that connected last; empty before the first connection. A watch that was reset connects with a new
        /// identity, which replaces the old one.
        fileprivate var newest: Set<PeerIdentity> = []
        var inputs: [EndpointInput] = []
        fileprivate var database = PhoneDatabase()
        fileprivate var outgoing: [[UInt8]] = []
        fileprivate var cost: PhoneCost
        fileprivate var faults: FaultSwitches
        /// The phone's time at the newest call of `next`.
        fileprivate var now = Instant.start
        /// How far the phone's time is ahead of the watch's clock. The clock begins at 0 again when the watch restarts, but
        /// the phone's time never goes back.
        fileprivate var ahead = Microseconds.zero
        fileprivate var lastMessage: Instant?

        enum Link {
            case down, up
            case closing
        }
    }

    let contents: Mutex<Contents>
    package let store: PhoneStore
    private let wallClock: PhoneWallClock
    private let seed: UInt64

    /// Makes a phone with an empty list. The phone sorts the list in an order that it learns from check-offs.
    ///
    /// - Parameters:
    ///   - name: the name that the phone sends to the watch.
    ///   - seed: seeds the phone's random numbers: its identity, its epochs and the IDs of its items.
    package convenience init(
        named name: String = "", cost: PhoneCost = DeviceProfile.instant.phone,
        calendar: BoardCalendar = .set(BoardCalendar.example, at: .start), faults: FaultSwitches = FaultSwitches(),
        seed: UInt64 = 1
    ) throws {
        try self.init(of: nil, named: name, cost, PhoneWallClock(calendar), faults, seed: seed)
    }

    /// Makes a phone with a copy of another phone's present database. The new phone has no links.
    package convenience init(restoredFrom phone: InMemoryPhone) {
        let (cost, faults) = phone.contents.withLock { ($0.cost, $0.faults) }
        do {
            // Another seed gives the copy other epochs than the original will have.
            try self.init(
                of: phone.store, named: "", cost, PhoneWallClock(phone.calendar), faults, seed: phone.seed &+ 0x1_0000)
        } catch {
            preconditionFailure("memory has room for a copy: \(error)")
        }
    }

    private init(
        of original: PhoneStore?, named name: String, _ cost: PhoneCost, _ wallClock: PhoneWallClock,
        _ faults: FaultSwitches, seed: UInt64
    ) throws {
        (self.wallClock, self.seed) = (wallClock, seed)
        let random = Mutex(SplitMix64(seed: seed))
        store = try PhoneStore(
            inMemory: ":memory:", copying: original,
            dependencies: PhoneDependencies(
                now: { wallClock.date }, zone: { _ in 0 }, random: { random.withLock { $0.next() } }))
        let events = PhoneEvents()
        let messages = PhoneMachine.messages(in: store, events)
        let logger = Logger(label: "tapline.memory") { _ in SwiftLogNoOpLogHandler() }
        let machine = EndpointMachine(
            connects: false, store: messages, configuration: PhoneMachine.configuration(of: store, named: name),
            logger: logger)
        let phone = try PhoneMachine(store, messages, events, on: machine, checkingEvery: nil, logger: logger)
        machine.handle([EndpointInput { machine, _ throws(WormholeError) in try machine.start() }], at: .start)
        _ = machine.release(at: .start)
        contents = Mutex(Contents(machine: machine, phone: phone, cost: cost, faults: faults))
    }

    package func end() { try? store.close() }

    /// The time that database transactions take.
    package var cost: PhoneCost {
        get { contents.withLock { $0.cost } }
        set { contents.withLock { $0.cost = newValue } }
    }

    /// The phone's wall clock, as a function of the watch's clock. The phone sends the watch the time that this wall clock
    /// shows.
    package var calendar: BoardCalendar {
        get { wallClock.calendar }
        set { wallClock.calendar = newValue }
    }

    /// The simulated faults. Only the additional time of transactions affects the phone.
    package var faults: FaultSwitches {
        get { contents.withLock { $0.faults } }
        set { contents.withLock { $0.faults = newValue } }
    }

    package var date: Date { wallClock.date }

    /// When the newest message for the phone's database arrived, on the watch's clock. Nil before the first such message.
    package var lastMessage: Instant? { contents.withLock { $0.lastMessage } }

    /// Tells the phone that its list has changed. The next call of `VirtualRadio.runPhone` sends the change.
    package func databaseChanged() {
        contents.withLock { contents in
            contents.inputs.append(.always { [phone = contents.phone] _ in phone.databaseChanged() })
        }
    }

    /// Returns whether the phone's changes have arrived on the connected watch; see `ScriptPhone`. If `awaitingAbsent` is true,
    /// the result is about the watch that connected last, even if that watch is disconnected now.
    package func delivery(awaitingAbsent: Bool) -> ScriptDelivery {
        contents.withLock { contents in
            guard contents.inputs.isEmpty, contents.phone.isSettled else { return .underWay }
            let (machine, connected) = (contents.machine, contents.phone.connected)
            let awaited = awaitingAbsent ? contents.newest : connected
            guard !awaited.isEmpty else { return .noWatch }
            let haveAll = awaited.allSatisfy { connected.contains($0) && machine.isSynchronized(with: $0) }
            return haveAll ? .arrived : .underWay
        }
    }

    // MARK: The link

    /// Handles a new channel. Its datagrams have at most `maximumSDU` bytes.
    func connected(at now: Instant, maximumSDU: Int) {
        contents.withLock { contents in
            contents.drop()
            contents.channel += 1
            contents.link = .up
            contents.database.run(at: now)
            contents.inputs.append(
                .on(contents.channel) { [channel = contents.channel] machine, _ throws(WormholeError) in
                    try machine.opened(channel, to: .unknown, largestDatagram: maximumSDU)
                })
        }
    }

    func disconnected(at now: Instant) {
        contents.withLock { $0.drop() }
    }

    func receive(_ datagram: [UInt8], at now: Instant) {
        wallClock.now = now
        let rows = isReload(datagram) ? (try? store.openCount()) ?? 0 : 0
        contents.withLock { contents in
            switch datagram.first.map(FrameKind.init(rawValue:)) {
            case .queued?, .latest?, .complication?:
                contents.lastMessage = now
                let length = contents.cost.transaction(rows: rows) + contents.faults.faults.phone
                contents.database.begin(datagram, taking: length, contents.cost, at: now)
            case _:  // FrameKind: the session and the programs take no transaction.
                contents.inputs.append(.received(datagram, on: contents.channel))
            }
        }
    }

    private func isReload(_ datagram: [UInt8]) -> Bool {
        guard datagram.first.map(FrameKind.init(rawValue:)) == .queued,
            let header = try? MessageHeader(datagram.span),
            let body = try? MessageBody(datagram.span, header: header)
        else { return false }
        return body.name.matches(ReloadMessage.name)
    }

    /// Returns the phone's next action. The radio calls this method until it returns `.wait` or `.close`.
    func next(at now: Instant) -> PhoneAction {
        wallClock.now = now
        return contents.withLock { $0.next(at: now) }
    }
}

extension InMemoryPhone.Contents {
    /// Ends the link. Drops the messages whose transactions are not over: the watch sends them again, because they were not
    /// acknowledged.
    fileprivate mutating func drop() {
        switch link {
        case .down: break
        case .up, .closing: inputs.append(.ended(channel, .closed))
        }
        link = .down
        database.dropAll()
        outgoing = []
    }

    fileprivate mutating func next(at clock: Instant) -> PhoneAction {
        if clock + ahead < now { ahead = now - clock }
        now = clock + ahead
        while true {
            if !outgoing.isEmpty { return .send(outgoing.removeFirst()) }
            if case .closing = link { return .close }
            while let transaction = database.ended(by: clock) {
                inputs.append(
                    .received(transaction.message, on: channel, heldFor: transaction.ends - transaction.arrived))
            }
            let isDue = machine.due.map { $0 <= now } ?? false
            guard isDue || !inputs.isEmpty else {
                let due = machine.due.map { clock + ($0 - now) }
                return .wait(until: [due, database.nextEnd].compactMap(\.self).min())
            }
            let present = inputs
            inputs = []
            machine.handle(present, at: now)
            let connected = phone.connected
            if !connected.isEmpty { newest = connected }
            for action in machine.release(at: now) { perform(action) }
            programs.follow(connected, &inputs)
        }
    }

    private mutating func perform(_ action: EndpointAction) {
        switch action {
        case .send(let datagram, let number):
            guard number == channel, case .up = link else { return }
            outgoing.append(datagram)
            inputs.append(.sent(on: number))
        case .sendAtOnce(let datagram, let number):
            if number == channel, case .up = link { outgoing.append(datagram) }
        case .close(let number): if number == channel, case .up = link { link = .closing }
        case .answer(let question):
            inputs.append(.always { [answer = programs.answer(to: question)] in $0.answered(question.id, answer) })
        case .heard(let message): programs.hear(message)
        case .file(let job):
            let result = job.run()
            inputs.append(.fileDone(result))
        // This phone only listens, and answers at once.
        case .connect, .dropAnswer: break
        }
    }
}

/// Something that the phone asks the radio to do.
enum PhoneAction {
    case send([UInt8])
    case close
    /// The phone waits until this time or until an event, such as the arrival of a datagram. If the time is nil, the phone
    /// waits only for an event.
    case wait(until: Instant?)
}

/// A phone's wall clock. It advances with the clock of a watch.
private final class PhoneWallClock: Sendable {
    private let state: Mutex<(calendar: BoardCalendar, now: Instant)>

    init(_ calendar: BoardCalendar) { state = Mutex((calendar, .start)) }

    var calendar: BoardCalendar {
        get { state.withLock { $0.calendar } }
        set { state.withLock { $0.calendar = newValue } }
    }

    var now: Instant {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }

    /// The present date; the start of 1970 if the calendar is not set.
    var date: Date {
        let seconds = state.withLock { $0.calendar.time(at: $0.now)?.seconds }
        return Date(timeIntervalSince1970: Double(seconds ?? 0))
    }
}
