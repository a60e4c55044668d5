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
    }

    private enum Alarm {
        case none
        case set(WatchLink.Instant, Task<Void, Never>)
    }

    private enum Life {
        case running
        case ending
    }

    private let inbox: BusInbox
    private let address: String
    private let clock: any LinkClock
    private var alarm = Alarm.none
    private var link = Link.unused
    private var life = Life.running
    private var connections: UInt64 = 0
    /// A bus that comes back is noticed within two seconds.
    private var backoff = ReconnectBackoff(shortest: .milliseconds(100), longest: .seconds(2))
    private var waiting: [UInt64: Waiting] = [:]
    private var numbers: [UInt64: UInt64] = [:]
    private var subscriptions: [(match: BusMatch, hear: @Sendable (BusSignal) -> Void)] = []
    private var watchers: [@Sendable (BusCondition) -> Void] = []
    private var exports = BusExports()
    private var owners = BusOwners()

    private init(inbox: BusInbox, address: String, clock: any LinkClock) {
        self.inbox = inbox
        self.address = address
        self.clock = clock
    }

    /// Starts the thread of a bus. It ends with the request `.close`.
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
            for request in inbox.take() { perform(request) }
            if case .ending = life { return clearAlarm() }
            reconnectIfDue()
            pump()
            expire()
            sleep()
        }
    }

    private func perform(_ request: BusRequest) {
        switch request {
        case .call(let number, let call, let deadline, let finish): make(call, number, deadline, finish)
        case .cancel(let number): finish(number, .failure(.cancelled))
        case .subscribe(let match, let hear):
            subscriptions.append((match, hear))
            if case .open(let library) = link { add(match, to: library) }
        case .watch(let hear):
            watchers.append(hear)
            if case .unused = link { connect() } else { hear(condition) }
        case .export(let path, let object): exports[path] = object
        case .answer(let number, let result):
            withLibrary { library throws(BluetoothError) in try library.answer(number, result) }
        case .emit(let signal):
            withLibrary { library throws(BluetoothError) in try library.send(signal) }
        case .close:
            for number in Array(waiting.keys) { finish(number, .failure(.cancelled)) }
            link = .unused
            life = .ending
        }
    }

    private var condition: BusCondition {
        switch link {
        case .open: .connected
        case .lost(let error, _): .lost(error)
        case .unused: .lost(.noBus("not connected yet"))
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
        if case .set(let earlier, _) = alarm, earlier <= first, earlier > clock.now { return }
        clearAlarm()
        alarm = .set(
            first,
            Task { [clock, inbox] in
                guard (try? await clock.sleep(until: first)) != nil else { return }
                inbox.wake()
            })
    }

    private func clearAlarm() {
        if case .set(_, let task) = alarm { task.cancel() }
        alarm = .none
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
            exports.handle(call) { [inbox] result in inbox.post(.answer(call.number, result)) }
        case .housekeeping, .nothing: break
        }
    }
}

extension BusLoop {
    private func make(
        _ call: BusCall, _ number: UInt64, _ deadline: WatchLink.Instant,
        _ finish: @escaping @Sendable (Result<[BusValue], BluetoothError>) -> Void
    ) {
        switch link {
        case .unused, .lost: connect()
        case .open: break
        }
        switch link {
        case .unused: finish(.failure(.noBus("not connected")))
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

    private func finish(_ number: UInt64, _ result: Result<[BusValue], BluetoothError>) {
        guard let call = waiting.removeValue(forKey: number) else { return }
        numbers[call.cookie] = nil
        call.finish(result)
    }
}
