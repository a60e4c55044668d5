import HostSystem
import WatchLink
import Wormhole

/// The thread of a bus: it makes the requested calls, delivers what the bus sends, and reconnects if the connection is
/// lost.
final class BusLoop {
    private struct Waiting {
        let cookie: UInt64
        let deadline: WatchLink.Instant
        let finish: @Sendable (Result<[BusValue], BluetoothError>) -> Void
    }

    private enum Link {
        case unused
        /// Lost; the next attempt is at that time.
        case lost(BluetoothError, again: WatchLink.Instant)
        /// Open, though its greeting may not be answered yet.
        case open(BusLibrary)
        /// The thread ends.
        case closed
    }

    private let inbox: BusInbox
    private let address: String
    private let clock: any LinkClock
    /// Wakes the thread for a deadline.
    private var alarm: (time: WatchLink.Instant, task: Task<Void, Never>)?
    private var link = Link.unused
    private var connections: UInt64 = 0
    /// A bus that comes back is noticed within two seconds.
    private var backoff = DoublingPause(shortest: .milliseconds(100), longest: .seconds(2))
    private var waiting: [UInt64: Waiting] = [:]
    private var numbers: [UInt64: UInt64] = [:]
    private var subscriptions: [(match: BusMatch, hear: @Sendable (BusSignal) -> Void)] = []
    private var watchers: [@Sendable (BusCondition) -> Void] = []
    var exports = BusExports()
    private var owners = BusOwners()

    private init(inbox: BusInbox, address: String, clock: any LinkClock) {
        self.inbox = inbox
        self.address = address
        self.clock = clock
    }

    /// Starts the thread of a bus. It ends with `close`.
    ///
    /// - Throws: `.system` if the process has no thread left.
    static func start(inbox: BusInbox, address: String, clock: any LinkClock) throws(BluetoothError) {
        do throws(HostSystemError) {
            // The loop and everything that it owns are created on its own thread.
            _ = try SystemThread { BusLoop(inbox: inbox, address: address, clock: clock).run() }
        } catch {
            throw BluetoothError(error)
        }
    }

    private func run() {
        while true {
            for request in inbox.take() { request(self) }
            if case .closed = link { return clearAlarm() }
            reconnectIfDue()
            pump()
            expire()
            sleep()
        }
    }

    func subscribe(_ match: BusMatch, _ hear: @escaping @Sendable (BusSignal) -> Void) {
        subscriptions.append((match, hear))
        if case .open(let library) = link { add(match, to: library) }
    }

    func watch(_ hear: @escaping @Sendable (BusCondition) -> Void) {
        watchers.append(hear)
        if case .unused = link { connect() } else { hear(condition) }
    }

    private func answer(_ number: BusIncomingCall.Number, _ result: Result<[BusValue], BusFault>) {
        withLibrary { library throws(BluetoothError) in try library.answer(number, result) }
    }

    func emit(_ signal: BusSignal) {
        withLibrary { library throws(BluetoothError) in try library.send(signal) }
    }

    func close() {
        for number in Array(waiting.keys) { finish(number, .failure(.cancelled)) }
        link = .closed
    }

    private var condition: BusCondition {
        switch link {
        case .open: .connected
        case .lost(let error, _): .lost(error)
        case .unused, .closed: .lost(.noBus("not connected yet"))
        }
    }
}

extension BusLoop {
    private func connect() {
        connections += 1
        do throws(BluetoothError) {
            let library = try BusLibrary(address: address, connection: connections)
            link = .open(library)
            owners = BusOwners()
            for subscription in subscriptions { add(subscription.match, to: library) }
            for watcher in watchers { watcher(.connected) }
        } catch {
            lose(error)
        }
    }

    /// The connection is lost, and with it the calls that wait for an answer.
    private func lose(_ error: BluetoothError) {
        link = .lost(error, again: clock.now + backoff.failed())
        for number in Array(waiting.keys) { finish(number, .failure(error)) }
        for watcher in watchers { watcher(.lost(error)) }
    }

    /// Without a listener the connection is opened again by the next call.
    private func reconnectIfDue() {
        guard case .lost(_, let again) = link, !watchers.isEmpty, clock.now >= again else { return }
        connect()
    }

    /// Asks the bus for the signals of a match, and first for the owner of its sender: a signal that comes is then known to be
    /// from that one.
    private func add(_ match: BusMatch, to library: BusLibrary) {
        withLibrary { library throws(BluetoothError) in
            if let sender = match.sender, !BusOwners.isFixed(sender) {
                try send(rule: BusOwners.match(of: sender).rule, library)
                let cookie = try library.send(BusOwners.question(about: sender))
                owners.ask(about: sender, cookie: cookie)
            }
            try send(rule: match.rule, library)
        }
    }

    private func send(rule: String, _ library: BusLibrary) throws(BluetoothError) {
        // The answer is ignored: the rule is well-formed, and nothing helps if the bus has no room left.
        _ = try library.send(
            BusCall(
                destination: SystemBus.name, path: "/org/freedesktop/DBus", interface: SystemBus.name,
                member: "AddMatch", body: [.string(rule)]))
    }

    /// Uses the connection if there is one. A message that cannot be built is skipped; reading finds a connection that
    /// fails.
    private func withLibrary(_ body: (BusLibrary) throws(BluetoothError) -> Void) {
        guard case .open(let library) = link else { return }
        try? body(library)
    }

    private func sleep() {
        var entries = [PolledDescriptor(inbox.descriptor, .readable)]
        var timeout: UInt64?
        if case .open(let library) = link {
            entries.append(library.interest)
            timeout = library.timeout
        }
        setAlarm()
        PolledDescriptor.wait(for: &entries, microseconds: PolledDescriptor.wholeMilliseconds(timeout))
    }

    /// Sets the alarm for the next deadline. An earlier alarm stays: it wakes the thread once too often.
    private func setAlarm() {
        var deadlines = waiting.values.map(\.deadline)
        if case .lost(_, let again) = link, !watchers.isEmpty { deadlines.append(again) }
        guard let first = deadlines.min() else { return }
        if let alarm, alarm.time <= first, alarm.time > clock.now { return }
        clearAlarm()
        let task = Task { [clock, inbox] in
            guard (try? await clock.sleep(until: first)) != nil else { return }
            inbox.wake()
        }
        alarm = (first, task)
    }

    private func clearAlarm() {
        alarm?.task.cancel()
        alarm = nil
    }
}

extension BusLoop {
    private func pump() {
        while case .open(let library) = link {
            do throws(BluetoothError) {
                let arrival = try library.next()
                if case .nothing = arrival { return }
                handle(arrival)
            } catch {
                lose(error)
            }
        }
    }

    private func handle(_ arrival: BusArrival) {
        switch arrival {
        case .answer(let cookie, let body):
            // The first answer is that of the bus to the greeting.
            backoff.succeeded()
            if !owners.take(body.first?.text, cookie: cookie) { finish(cookie: cookie, .success(body)) }
        case .fault(let cookie, let fault):
            if !owners.take(nil, cookie: cookie) { finish(cookie: cookie, .failure(BluetoothError(fault))) }
        case .unreadable(let cookie): finish(cookie: cookie, .failure(.unexpectedAnswer("an argument of D-Bus")))
        case .signal(let signal):
            owners.take(signal)
            for subscription in subscriptions where subscription.match.fits(signal, owners) {
                subscription.hear(signal)
            }
        case .call(let call):
            exports.handle(call) { [inbox] result in inbox.post { $0.answer(call.number, result) } }
        case .housekeeping, .nothing: break
        }
    }
}

extension BusLoop {
    func make(
        _ call: BusCall, _ number: UInt64, _ deadline: WatchLink.Instant,
        _ finish: @escaping @Sendable (Result<[BusValue], BluetoothError>) -> Void
    ) {
        switch link {
        case .unused, .lost: connect()
        case .open, .closed: break
        }
        switch link {
        case .unused, .closed: finish(.failure(.noBus("not connected")))
        case .lost(let error, _): finish(.failure(error))
        case .open(let library):
            do throws(BluetoothError) {
                let cookie = try library.send(call)
                waiting[number] = Waiting(cookie: cookie, deadline: deadline, finish: finish)
                numbers[cookie] = number
            } catch {
                finish(.failure(error))
            }
        }
    }

    private func expire() {
        let now = clock.now
        for (number, call) in waiting where call.deadline <= now { finish(number, .failure(.timedOut)) }
    }

    private func finish(cookie: UInt64, _ result: Result<[BusValue], BluetoothError>) {
        if let number = numbers[cookie] { finish(number, result) }
    }

    func finish(_ number: UInt64, _ result: Result<[BusValue], BluetoothError>) {
        guard let call = waiting.removeValue(forKey: number) else { return }
        numbers[call.cookie] = nil
        call.finish(result)
    }
}
