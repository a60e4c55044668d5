import HostSystem
import WatchLink
import Wormhole

/// The loop that runs on the thread of a `SystemBus`. It performs requests, delivers messages, and reconnects after a lost
/// connection.
final class BusLoop {
    private struct Waiting {
        let number: UInt64
        /// Fails the call with `.timedOut` at its deadline.
        let timer: Task<Void, Never>
        let finish: @Sendable (Result<[BusValue], BluetoothError>) -> Void
    }

    private enum Link {
        case unused
        case lost(BluetoothError)
        /// The socket is connected. The bus may not have answered D-Bus's Hello yet.
        case open(BusLibrary)
        case closed
    }

    private let inbox: BusInbox
    private let address: String
    private let clock: any LinkClock
    private var link = Link.unused
    private var connections: UInt64 = 0
    /// The pause before the next attempt to connect. It is at most two seconds, so a restarted bus is found within that
    /// time.
    private var backoff = DoublingPause(shortest: .milliseconds(100), longest: .seconds(2))
    /// The calls that wait for an answer, by cookie: the serial number that D-Bus gives a call.
    private var waiting: [UInt64: Waiting] = [:]
    private var subscriptions: [(match: BusMatch, hear: @Sendable (BusSignal) -> Void)] = []
    private var watchers: [@Sendable (BluetoothError?) -> Void] = []
    var exports = BusExports()

    private init(inbox: BusInbox, address: String, clock: any LinkClock) {
        self.inbox = inbox
        self.address = address
        self.clock = clock
    }

    /// Starts the thread, which runs until `close`. Throws `.system` if the system refuses to create a thread.
    static func start(inbox: BusInbox, address: String, clock: any LinkClock) throws(BluetoothError) {
        do throws(HostSystemError) {
            // Creates the loop on its own thread, because it is not Sendable.
            _ = try SystemThread { BusLoop(inbox: inbox, address: address, clock: clock).run() }
        } catch {
            throw BluetoothError(error)
        }
    }

    private func run() {
        while true {
            for request in inbox.take() { request(self) }
            if case .closed = link { return }
            pump()
            sleep()
        }
    }

    func subscribe(_ match: BusMatch, _ hear: @escaping @Sendable (BusSignal) -> Void) {
        subscriptions.append((match, hear))
        add(match)
    }

    func watch(_ hear: @escaping @Sendable (BluetoothError?) -> Void) {
        watchers.append(hear)
        switch link {
        case .unused, .lost: connect()
        case .open, .closed: hear(trouble)
        }
    }

    private func answer(_ number: UInt64, _ result: Result<[BusValue], BusFault>) {
        withLibrary { library throws(BluetoothError) in try library.answer(number, result) }
    }

    func emit(_ signal: BusSignal) {
        withLibrary { library throws(BluetoothError) in try library.send(signal) }
    }

    func close() {
        for cookie in Array(waiting.keys) { finish(cookie: cookie, .failure(.cancelled)) }
        link = .closed
    }

    private var trouble: BluetoothError? {
        switch link {
        case .open: nil
        case .lost(let error): error
        case .unused, .closed: .noBus("not connected yet")
        }
    }
}

extension BusLoop {
    private func connect() {
        connections += 1
        do throws(BluetoothError) {
            link = .open(try BusLibrary(address: address, connection: connections))
            for subscription in subscriptions { add(subscription.match) }
            for watcher in watchers { watcher(nil) }
        } catch {
            lose(error)
        }
    }

    /// Fails the calls that wait for an answer, and tells the watchers. If `watch` was called, the loop reconnects after a
    /// pause. Otherwise it reconnects when a program makes the next call.
    private func lose(_ error: BluetoothError) {
        link = .lost(error)
        for cookie in Array(waiting.keys) { finish(cookie: cookie, .failure(error)) }
        for watcher in watchers { watcher(error) }
        guard !watchers.isEmpty else { return }
        post(at: clock.now + backoff.failed()) { loop in
            if case .lost = loop.link { loop.connect() }
        }
    }

    /// Posts a request at `time`, unless the returned task is cancelled first.
    @discardableResult private func post(
        at time: WatchLink.Instant, _ request: @escaping BusInbox.Request
    ) -> Task<Void, Never> {
        Task { [clock, inbox] in
            guard (try? await clock.sleep(until: time)) != nil else { return }
            inbox.post(request)
        }
    }

    /// Asks the bus to deliver the signals that fit a match. Ignores errors: if the bus has no room for another match,
    /// this program cannot change that.
    private func add(_ match: BusMatch) {
        withLibrary { library throws(BluetoothError) in _ = try library.send(.ofBus("AddMatch", .string(match.rule))) }
    }

    /// Runs `body` if the connection is open. Ignores errors: a message that cannot be built is not sent, and the next read
    /// in `pump` reports a lost connection.
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
        PolledDescriptor.wait(for: &entries, microseconds: PolledDescriptor.wholeMilliseconds(timeout))
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
            // The first answer over a connection is the bus's reply to Hello.
            backoff.succeeded()
            finish(cookie: cookie, .success(body))
        case .fault(let cookie, let fault): finish(cookie: cookie, .failure(BluetoothError(fault)))
        case .unreadable(let cookie): finish(cookie: cookie, .failure(.unexpectedAnswer("an argument of D-Bus")))
        case .signal(let signal):
            for subscription in subscriptions where subscription.match.fits(signal) { subscription.hear(signal) }
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
        case .lost(let error): finish(.failure(error))
        case .open(let library):
            do throws(BluetoothError) {
                let cookie = try library.send(call)
                let timer = post(at: deadline) { $0.finish(number, .failure(.timedOut)) }
                waiting[cookie] = Waiting(number: number, timer: timer, finish: finish)
            } catch {
                finish(.failure(error))
            }
        }
    }

    private func finish(cookie: UInt64, _ result: Result<[BusValue], BluetoothError>) {
        guard let call = waiting.removeValue(forKey: cookie) else { return }
        call.timer.cancel()
        call.finish(result)
    }

    func finish(_ number: UInt64, _ result: Result<[BusValue], BluetoothError>) {
        for (cookie, call) in waiting where call.number == number { finish(cookie: cookie, result) }
    }
}
