import Synchronization
import Watch
import WatchLink

/// A watch's radio on a virtual clock, with a simulated phone at the other end: every datagram takes the same time.
public final class VirtualRadio: RadioPort, Sendable {
    private enum Quality {
        /// Everything arrives.
        case clear
        /// Nothing does, and nobody is told.
        case deaf
    }

    private struct Air {
        var state = RadioState.down
        var quality = Quality.clear
        var connections: UInt32 = 0
        var arrived: [[UInt8]] = []
        /// When the phone is to be asked again, if a wake-up is scheduled.
        var phoneWakeUp: Instant?
    }

    private let clock: VirtualClock
    private let phone: SimulatedPhone
    private let latency: Microseconds
    private let maximumSDU: Int
    private let air = Mutex(Air())

    /// A radio that is not connected yet.
    ///
    /// - Parameters:
    ///   - phone: the other end.
    ///   - clock: the watch's clock.
    ///   - latency: what a datagram takes either way.
    ///   - maximumSDU: the most bytes of one.
    public init(to phone: SimulatedPhone, clock: VirtualClock, latency: Microseconds, maximumSDU: Int = 512) {
        self.phone = phone
        self.clock = clock
        self.latency = latency
        self.maximumSDU = maximumSDU
    }

    /// Opens a new channel.
    public func connect() {
        air.withLock { air in
            air.connections += 1
            air.quality = .clear
            air.state = .up(connection: air.connections, maximumSDU: maximumSDU)
            air.arrived = []
        }
        phone.connected(at: clock.now, maximumSDU: maximumSDU)
        runPhone()
        wakeWatch()
    }

    /// Cuts the channel; what was under way is lost.
    public func cut() {
        air.withLock { air in
            air.state = .down
            air.arrived = []
        }
        phone.disconnected(at: clock.now)
        wakeWatch()
    }

    /// From now on nothing arrives any more in either direction, and neither side is told, until the next channel.
    public func loseEverything() {
        air.withLock { $0.quality = .deaf }
    }

    /// Whether what was sent over channel `number` still arrives.
    private func isAudible(_ number: UInt32) -> Bool {
        air.withLock { air in
            switch (air.state, air.quality) {
            case (.up(number, _), .clear): true
            case (.up, _), (.down, _): false
            }
        }
    }

    /// Lets the phone say what it has to say, after something was changed on it.
    public func runPhone() {
        while true {
            switch phone.next(at: clock.now) {
            case .send(let datagram):
                deliver(datagram)
            case .close:
                return cut()
            case .wait(let until):
                return askPhone(at: until)
            }
        }
    }

    private func askPhone(at time: Instant?) {
        guard let time else { return }
        let isNew = air.withLock { air in
            if let wakeUp = air.phoneWakeUp, wakeUp <= time, wakeUp > clock.now { return false }
            air.phoneWakeUp = time
            return true
        }
        guard isNew else { return }
        clock.schedule(at: time) { [weak self] in self?.runPhone() }
    }

    /// Carries a datagram to the watch, unless the channel is another one by then.
    private func deliver(_ datagram: [UInt8]) {
        let sentOver = air.withLock { $0.connections }
        clock.schedule(at: clock.now + latency) { [weak self] in
            guard let self, isAudible(sentOver) else { return }
            air.withLock { $0.arrived.append(datagram) }
        }
    }

    /// Ends a wait of the watch's at this instant.
    private func wakeWatch() {
        clock.schedule(at: clock.now) {}
    }

    // MARK: RadioPort

    /// What the radio can do at the moment.
    public var state: RadioState { air.withLock { $0.state } }

    /// Sends one datagram to the phone.
    public func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        let bytes = datagram.indices.map { datagram[$0] }
        let sentOver = air.withLock { air -> UInt32? in
            guard case .up(let connection, _) = air.state, bytes.count <= maximumSDU else { return nil }
            return connection
        }
        guard let sentOver else { return .refused }
        clock.schedule(at: clock.now + latency) { [weak self] in
            guard let self, isAudible(sentOver) else { return }
            phone.receive(bytes, at: clock.now)
            runPhone()
        }
        return .sent
    }

    /// Takes the next datagram that has arrived.
    public func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        let datagram = air.withLock { $0.arrived.isEmpty ? nil : $0.arrived.removeFirst() }
        guard let datagram else { return nil }
        for index in 0..<min(datagram.count, buffer.count) { buffer[index] = datagram[index] }
        return datagram.count
    }

    /// Cuts the channel, which stays cut until somebody calls `connect`.
    public func disconnect() {
        cut()
    }

    /// Nothing to poll: everything that happens is an event of the virtual clock.
    public var interest: RadioInterest { RadioInterest(.nothing) }

    /// Nothing to do.
    public func service(at now: Instant) {}
}
