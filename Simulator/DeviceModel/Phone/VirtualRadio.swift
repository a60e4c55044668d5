import Synchronization
import Watch
import WatchLink

/// A phone at the other end of a `VirtualRadio`, on the same clock.
package protocol VirtualPhone: AnyObject, Sendable {
    /// A new channel has opened, whose datagrams have at most `maximumSDU` bytes.
    func connected(at now: Instant, maximumSDU: Int)
    func disconnected(at now: Instant)
    func receive(_ datagram: [UInt8], at now: Instant)
    /// The phone's next action. The radio asks again until the phone waits.
    func next(at now: Instant) -> PhoneAction
}

/// A watch's radio on a virtual clock, with a phone at the other end. Datagrams travel in connection events, or
/// each takes a fixed time.
package final class VirtualRadio: RadioPort, Sendable {
    /// Which side opens a channel.
    package enum Opening: Sendable {
        /// The caller of `connect`.
        case onRequest
        /// The radio itself, when these faults allow it. It follows their changes.
        case byItself(FaultSwitches)
    }

    /// The pause before the radio opens a channel again.
    private static let pause = Microseconds.milliseconds(100)

    fileprivate struct State {
        var radio = RadioState.down
        /// Whether nothing arrives, and neither side notices.
        var losesEverything = false
        var connections: UInt32 = 0
        var arrived: [[UInt8]] = []
        /// When the radio asks the phone again; nil if no wake-up is scheduled.
        var phoneWakeUp: Instant?
        var link: RadioLink
        /// When the link is next advanced; nil if it need not be.
        var scheduled: Instant?
        /// The traffic of earlier channels.
        var traffic = RadioTraffic()
        /// When the radio may open a channel by itself.
        var opensAt = Instant.start
        /// Since when datagrams have been on their way, for the time that is not in `traffic` yet; nil if none are.
        var carryingSince: Instant?
    }

    private let clock: VirtualClock
    private let phone: any VirtualPhone
    private let opening: Opening
    private let maximumSDU: Int
    private let contents: Mutex<State>

    /// A radio with the same time for every datagram. It is not connected yet.
    ///
    /// - Parameters:
    ///   - phone: the other end.
    ///   - clock: the watch's clock.
    ///   - latency: the time of a datagram in each direction.
    ///   - maximumSDU: the most bytes of a datagram.
    package init(to phone: any VirtualPhone, clock: VirtualClock, latency: Microseconds, maximumSDU: Int = 512) {
        self.phone = phone
        opening = .onRequest
        self.clock = clock
        self.maximumSDU = maximumSDU
        contents = Mutex(State(link: RadioLink(.pipe(latency), seed: 0)))
    }

    /// A radio that carries datagrams in connection events. It is not connected yet.
    ///
    /// - Parameters:
    ///   - phone: the other end.
    ///   - clock: the watch's clock.
    ///   - cost: the interval and the capacity of the events.
    ///   - seed: randomness for `faults`.
    ///   - maximumSDU: the most bytes of a datagram.
    ///   - opening: which side opens a channel.
    package init(
        to phone: any VirtualPhone, clock: VirtualClock, cost: RadioCost, seed: UInt64 = 1, maximumSDU: Int = 512,
        opening: Opening = .onRequest
    ) {
        self.phone = phone
        self.opening = opening
        self.clock = clock
        self.maximumSDU = maximumSDU
        contents = Mutex(State(link: RadioLink(.events(cost), seed: seed)))
    }

    /// Loss and jitter from now on, if datagrams travel in connection events. The other faults have no effect here.
    package var faults: WatchFaults {
        get { contents.withLock { $0.link.faults } }
        set {
            contents.withLock { $0.link.change(newValue, at: clock.now) }
            schedule()
        }
    }

    /// Whether datagrams are on their way in connection events.
    package var isCarrying: Bool {
        contents.withLock { $0.carryingSince != nil }
    }

    package func connect() {
        let now = clock.now
        contents.withLock { state in
            state.retire(at: now)
            state.connections += 1
            state.losesEverything = false
            state.radio = .up(connection: state.connections, maximumSDU: maximumSDU)
            state.arrived = []
            state.scheduled = nil
            state.link.open(at: now)
        }
        phone.connected(at: now, maximumSDU: maximumSDU)
        runPhone()
        wakeWatch()
        schedule()
    }

    /// Cuts the channel. Datagrams on their way are lost.
    package func cut() {
        let now = clock.now
        contents.withLock { state in
            state.retire(at: now)
            state.opensAt = now + VirtualRadio.pause
            state.radio = .down
            state.arrived = []
            state.scheduled = nil
        }
        phone.disconnected(at: now)
        wakeWatch()
    }

    /// Loses everything in both directions until the next channel. Neither side is notified.
    package func loseEverything() {
        contents.withLock { $0.losesEverything = true }
    }

    /// Whether datagrams that were sent over channel `number` still arrive.
    private func delivers(_ number: UInt32) -> Bool {
        contents.withLock { !$0.losesEverything && $0.radio == .up(connection: number, maximumSDU: maximumSDU) }
    }

    /// Sends the phone's datagrams after a change on it.
    package func runPhone() {
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
        let isNew = contents.withLock { state in
            if let wakeUp = state.phoneWakeUp, wakeUp <= time, wakeUp > clock.now { return false }
            state.phoneWakeUp = time
            return true
        }
        guard isNew else { return }
        clock.schedule(at: time) { [weak self] in self?.runPhone() }
    }

    private func deliver(_ datagram: [UInt8]) {
        contents.withLock { state in
            state.link.sendToWatch(datagram, at: clock.now)
            state.noteCarriage(at: clock.now)
        }
        schedule()
    }

    private func wakeWatch() {
        clock.schedule(at: clock.now) {}
    }

    // MARK: The link's time

    /// Schedules the next advance of the link, if one is needed.
    private func schedule() {
        let due = contents.withLock { state -> Instant? in
            guard let due = state.link.nextDue(at: clock.now) else { return nil }
            if let scheduled = state.scheduled, scheduled <= due { return nil }
            state.scheduled = due
            return due
        }
        guard let due else { return }
        clock.schedule(at: due) { [weak self] in self?.advance(to: due) }
    }

    private func advance(to time: Instant) {
        let (outcomes, channel) = contents.withLock { state -> ([RadioLink.Outcome], UInt32) in
            // An event that was scheduled too late, or for an older channel, has nothing to do.
            guard state.scheduled == time else { return ([], state.connections) }
            state.scheduled = nil
            // Counts the time before this event first: its data makes the air busy again.
            state.noteCarriage(at: time)
            let outcomes = state.link.advance(to: time)
            state.noteCarriage(at: time)
            return (outcomes, state.connections)
        }
        for outcome in outcomes {
            switch outcome {
            case .arrivedAtWatch(let datagram):
                if delivers(channel) { contents.withLock { $0.arrived.append(datagram) } }
            case .arrivedAtPhone(let datagram):
                guard delivers(channel) else { continue }
                phone.receive(datagram, at: clock.now)
                runPhone()
            case .lost: cut()
            }
        }
        schedule()
    }

    // MARK: RadioPort

    package var state: RadioState { contents.withLock { $0.radio } }

    /// The traffic, including events in which nothing was carried.
    package var traffic: RadioTraffic { contents.withLock { $0.traffic(at: clock.now) } }

    package func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        let bytes = datagram.indices.map { datagram[$0] }
        let isSent = contents.withLock { state in
            guard case .up = state.radio, bytes.count <= maximumSDU else { return false }
            state.link.sendToPhone(bytes, at: clock.now)
            state.noteCarriage(at: clock.now)
            return true
        }
        guard isSent else { return .refused }
        schedule()
        return .sent
    }

    package func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        let datagram = contents.withLock { $0.arrived.isEmpty ? nil : $0.arrived.removeFirst() }
        guard let datagram else { return nil }
        for index in 0..<min(datagram.count, buffer.count) { buffer[index] = datagram[index] }
        return datagram.count
    }

    package func disconnect() { cut() }

    /// Makes the connection fast, if it was at rest.
    package func wearerActed(at now: Instant) {
        contents.withLock { $0.link.wearerActed(at: now) }
    }

    /// There is nothing to poll: everything happens as an event of the virtual clock.
    package var interest: RadioInterest {
        guard case .byItself(let switches) = opening, state == .down else { return RadioInterest(.nothing) }
        let faults = switches.faults
        return switch faults.link {
        // If every packet is lost, no channel can open.
        case .open: RadioInterest(.nothing, wakeAt: faults.loss < 1 ? contents.withLock { $0.opensAt } : nil)
        case .cut: RadioInterest(.nothing)
        case .cutUntil(let end): RadioInterest(.nothing, wakeAt: end)
        }
    }

    package func service(at now: Instant) {
        guard case .byItself(let switches) = opening else { return }
        switches.reopen(at: now)
        let present = switches.faults
        if faults != present { faults = present }
        switch (present.link, state) {
        case (.cut, .up), (.cutUntil, .up): cut()
        case (.open, .down):
            let isDue = contents.withLock { $0.opensAt <= now }
            if isDue, present.loss < 1 { connect() }
        case (.cut, .down), (.cutUntil, .down), (.open, .up): break
        }
    }
}

extension VirtualRadio.State {
    /// The traffic until `now`: events with payload, and other events in which the watch listened.
    func traffic(at now: Instant) -> RadioTraffic {
        let carried = link.traffic(until: now)
        var sum = traffic
        if let carryingSince {
            let end = airEnd(from: carryingSince, to: now)
            sum.onAir = sum.onAir + (end - carryingSince)
            sum.waiting = sum.waiting + (now - end)
        }
        sum.events += carried.events
        sum.bytesSent += carried.bytesSent
        sum.bytesReceived += carried.bytesReceived
        sum.packets += carried.packets
        sum.payloadOnAir += carried.payloadOnAir
        return sum
    }

    mutating func retire(at now: Instant) {
        settleCarriage(at: now)
        carryingSince = nil
        traffic = traffic(at: now)
        link.close()
    }

    /// Records whether datagrams are on their way from now on.
    mutating func noteCarriage(at now: Instant) {
        settleCarriage(at: now)
        carryingSince = link.isCarrying ? now : nil
    }

    /// Records the time until `now` in which datagrams were on their way: first in the air, then waiting.
    private mutating func settleCarriage(at now: Instant) {
        guard let since = carryingSince, since < now else { return }
        let end = airEnd(from: since, to: now)
        traffic.onAir = traffic.onAir + (end - since)
        traffic.waiting = traffic.waiting + (now - end)
        carryingSince = now
    }

    /// When the last packet in the air ends, between two times without a connection event between them.
    private func airEnd(from since: Instant, to now: Instant) -> Instant {
        min(max(link.airEnd ?? since, since), now)
    }
}
