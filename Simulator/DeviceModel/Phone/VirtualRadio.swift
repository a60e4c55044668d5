import Synchronization
import Watch
import WatchLink

/// A watch's radio on a virtual clock, with a simulated phone at the other end: datagrams leave and arrive in connection
/// events, or each takes the same time.
public final class VirtualRadio: RadioPort, Sendable {
    /// How datagrams are carried.
    private enum Carriage {
        /// Each takes this long either way.
        case pipe(Microseconds)
        /// In connection events.
        case events(RadioCost)
    }

    fileprivate enum Quality {
        /// Everything arrives.
        case clear
        /// Nothing does, and nobody is told.
        case deaf
    }

    fileprivate struct Air {
        var state = RadioState.down
        var quality = Quality.clear
        var connections: UInt32 = 0
        var arrived: [[UInt8]] = []
        /// When the phone is to be asked again, if a wake-up is scheduled.
        var phoneWakeUp: Instant?
        /// The events of the channel that is open, if it has any.
        var events: ConnectionEvents?
        /// The event that is scheduled, if one is.
        var scheduled: Instant?
        /// Nothing arrives before what was sent before it.
        var lastArrival = Instant.start
        var faults = RadioFaults.none
        var random: SplitMix64
        /// What earlier channels have carried.
        var traffic = RadioTraffic()
        /// Since when something has been on its way, if something is.
        var carryingSince: Instant?
        var activities: ActivityLog?
    }

    /// Where it is noted when something is on its way; nil for nowhere.
    public var activities: ActivityLog? {
        get { air.withLock { $0.activities } }
        set { air.withLock { $0.activities = newValue } }
    }

    private let clock: VirtualClock
    private let phone: SimulatedPhone
    private let carriage: Carriage
    private let maximumSDU: Int
    private let air: Mutex<Air>

    /// A radio over which every datagram takes the same time. It is not connected yet.
    ///
    /// - Parameters:
    ///   - phone: the other end.
    ///   - clock: the watch's clock.
    ///   - latency: what a datagram takes either way.
    ///   - maximumSDU: the most bytes of one.
    public init(to phone: SimulatedPhone, clock: VirtualClock, latency: Microseconds, maximumSDU: Int = 512) {
        self.phone = phone
        self.clock = clock
        carriage = .pipe(latency)
        self.maximumSDU = maximumSDU
        air = Mutex(Air(random: SplitMix64(seed: 0)))
    }

    /// A radio that carries datagrams in connection events. It is not connected yet.
    ///
    /// - Parameters:
    ///   - phone: the other end.
    ///   - clock: the watch's clock.
    ///   - cost: the pace of the events and what one carries.
    ///   - seed: randomness for `faults`.
    ///   - maximumSDU: the most bytes of a datagram.
    public init(
        to phone: SimulatedPhone, clock: VirtualClock, cost: RadioCost, seed: UInt64 = 1, maximumSDU: Int = 512
    ) {
        self.phone = phone
        self.clock = clock
        carriage = .events(cost)
        self.maximumSDU = maximumSDU
        air = Mutex(Air(random: SplitMix64(seed: seed)))
    }

    /// What is wrong with the air from now on. It counts where datagrams are carried in connection events.
    public var faults: RadioFaults {
        get { air.withLock { $0.faults } }
        set {
            let now = clock.now
            air.withLock { air in
                if air.faults.loss < 1 { air.events?.noteHeard(at: now) }
                air.faults = newValue
            }
            if newValue.loss >= 1 { superviseSilence() } else { scheduleEvent() }
        }
    }

    /// Whether something is on its way in connection events.
    public var isCarrying: Bool {
        air.withLock { $0.carryingSince != nil }
    }

    /// Opens a new channel.
    public func connect() {
        let now = clock.now
        air.withLock { air in
            air.retire(at: now)
            air.connections += 1
            air.quality = .clear
            air.state = .up(connection: air.connections, maximumSDU: maximumSDU)
            air.arrived = []
            air.scheduled = nil
            switch carriage {
            case .pipe: air.events = nil
            case .events(let cost): air.events = ConnectionEvents(cost, anchor: now)
            }
        }
        phone.connected(at: now, maximumSDU: maximumSDU)
        runPhone()
        wakeWatch()
        if faults.loss >= 1 { superviseSilence() }
    }

    /// Cuts the channel; what was under way is lost.
    public func cut() {
        let now = clock.now
        air.withLock { air in
            air.retire(at: now)
            air.state = .down
            air.arrived = []
            air.scheduled = nil
        }
        phone.disconnected(at: now)
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
        switch carriage {
        case .pipe(let latency):
            clock.schedule(at: clock.now + latency) { [weak self] in self?.arriveAtWatch(datagram, over: sentOver) }
        case .events:
            air.withLock { air in
                air.events?.sendToWatch(datagram)
                air.noteCarriage(at: clock.now)
            }
            scheduleEvent()
        }
    }

    private func arriveAtWatch(_ datagram: [UInt8], over channel: UInt32) {
        guard isAudible(channel) else { return }
        air.withLock { $0.arrived.append(datagram) }
    }

    private func arriveAtPhone(_ datagram: [UInt8], over channel: UInt32) {
        guard isAudible(channel) else { return }
        phone.receive(datagram, at: clock.now)
        runPhone()
    }

    /// Ends a wait of the watch's at this instant.
    private func wakeWatch() {
        clock.schedule(at: clock.now) {}
    }

    // MARK: Connection events

    /// Sees to it that the next event that can carry something happens.
    private func scheduleEvent() {
        let event = air.withLock { air -> (Instant, UInt32)? in
            guard let events = air.events, let time = events.nextEvent(at: clock.now) else { return nil }
            // Where events take no time the one after a lost event is at the same instant, and would be for ever.
            guard events.cost.interval > .zero || air.faults.loss < 1 else { return nil }
            if let scheduled = air.scheduled, scheduled <= time { return nil }
            air.scheduled = time
            return (time, air.connections)
        }
        guard let (time, channel) = event else { return }
        clock.schedule(at: time) { [weak self] in self?.happen(at: time, over: channel) }
    }

    private func happen(at time: Instant, over channel: UInt32) {
        enum Next {
            case nothing
            case lost
            case arrive(ConnectionEvents.Arrivals, at: Instant)
        }
        let next = air.withLock { air -> Next in
            // One that was scheduled later than need be, or for an older channel, has nothing left to do.
            guard air.connections == channel, air.scheduled == time, var events = air.events else { return .nothing }
            air.scheduled = nil
            // The events in between carried nothing, and the two heard each other in the last of them.
            if air.faults.loss < 1, events.follows(time) { events.noteHeard(at: time) }
            let isLost = air.faults.loss > 0 && Double.random(in: 0..<1, using: &air.random) < air.faults.loss
            let arrivals = events.happen(at: time, isLost ? .lost : .heard)
            air.events = events
            air.noteCarriage(at: time)
            if isLost, time - events.lastHeard >= events.cost.supervisionTimeout { return .lost }
            let late =
                air.faults.jitter.count == 0 ? 0 : UInt64.random(in: 0...air.faults.jitter.count, using: &air.random)
            air.lastArrival = max(air.lastArrival, time + Microseconds(late))
            return .arrive(arrivals, at: air.lastArrival)
        }
        switch next {
        case .nothing: return
        case .lost: return cut()
        case .arrive(let arrivals, let instant):
            if instant == time {
                finish(arrivals, over: channel)
            } else if arrivals != ConnectionEvents.Arrivals() {
                clock.schedule(at: instant) { [weak self] in self?.finish(arrivals, over: channel) }
            }
        }
        scheduleEvent()
    }

    private func finish(_ arrivals: ConnectionEvents.Arrivals, over channel: UInt32) {
        for datagram in arrivals.toWatch { arriveAtWatch(datagram, over: channel) }
        for datagram in arrivals.toPhone { arriveAtPhone(datagram, over: channel) }
    }

    /// Cuts a channel over which nothing has been heard when the supervision timeout is over.
    private func superviseSilence() {
        let channel = air.withLock { air -> (UInt32, Microseconds)? in
            guard let events = air.events else { return nil }
            return (air.connections, events.cost.supervisionTimeout)
        }
        guard let (number, timeout) = channel else { return }
        clock.schedule(at: clock.now + timeout) { [weak self] in
            guard let self else { return }
            let isDead = air.withLock { air in
                // Something may have been heard since, and silence have begun anew.
                guard air.connections == number, air.faults.loss >= 1, let events = air.events else { return false }
                return clock.now - events.lastHeard >= timeout
            }
            if isDead { cut() }
        }
    }

    // MARK: RadioPort

    /// What the radio can do at the moment.
    public var state: RadioState { air.withLock { $0.state } }

    /// What it has carried, the events in which nothing was carried included.
    public var traffic: RadioTraffic { air.withLock { $0.traffic(at: clock.now) } }

    /// Sends one datagram to the phone.
    public func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        let bytes = datagram.indices.map { datagram[$0] }
        let sentOver = air.withLock { air -> UInt32? in
            guard case .up(let connection, _) = air.state, bytes.count <= maximumSDU else { return nil }
            return connection
        }
        guard let sentOver else { return .refused }
        switch carriage {
        case .pipe(let latency):
            clock.schedule(at: clock.now + latency) { [weak self] in self?.arriveAtPhone(bytes, over: sentOver) }
        case .events:
            air.withLock { air in
                air.events?.sendToPhone(bytes, at: clock.now)
                air.noteCarriage(at: clock.now)
            }
            scheduleEvent()
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

    /// Has the connection become fast, if it was at rest.
    public func wearerActed(at now: Instant) {
        air.withLock { $0.events?.wearerActed(at: now) }
    }

    /// Nothing to poll: everything that happens is an event of the virtual clock.
    public var interest: RadioInterest { RadioInterest(.nothing) }

    /// Nothing to do.
    public func service(at now: Instant) {}
}

extension VirtualRadio.Air {
    /// What was carried until `now`: events with something in them, and those that the watch listened in besides.
    func traffic(at now: Instant) -> RadioTraffic {
        guard let carried = events?.traffic(until: now) else { return traffic }
        var sum = traffic
        if let carryingSince { sum.underway = sum.underway + (now - carryingSince) }
        sum.events += carried.events
        sum.bytesSent += carried.bytesSent
        sum.bytesReceived += carried.bytesReceived
        return sum
    }

    /// Ends the channel's events.
    mutating func retire(at now: Instant) {
        traffic = traffic(at: now)
        events = nil
        carryingSince = nil
    }

    /// Notes whether something is on its way from now on.
    mutating func noteCarriage(at now: Instant) {
        guard let events else { return }
        switch (carryingSince, events.isEmpty) {
        case (nil, false):
            carryingSince = now
        case (let since?, true):
            traffic.underway = traffic.underway + (now - since)
            activities?.enter(.radio, from: since, now - since)
            carryingSince = nil
        case (nil, true), (_?, false):
            break
        }
    }
}
