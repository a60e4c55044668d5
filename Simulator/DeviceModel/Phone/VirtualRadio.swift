import Synchronization
import Watch
import WatchLink

/// A phone at the other end of a `VirtualRadio`, on the same clock.
package protocol VirtualPhone: AnyObject, Sendable {
    /// There is a new channel, whose datagrams have at most `maximumSDU` bytes.
    func connected(at now: Instant, maximumSDU: Int)
    func disconnected(at now: Instant)
    func receive(_ datagram: [UInt8], at now: Instant)
    /// What the phone wants done now. Asked again until it waits.
    func next(at now: Instant) -> PhoneAction
}

/// A watch's radio on a virtual clock, with a phone at the other end: datagrams leave and arrive in connection events, or
/// each takes the same time.
package final class VirtualRadio: RadioPort, Sendable {
    /// Who opens a channel.
    package enum Opening: Sendable {
        /// The caller of `connect`.
        case onRequest
        /// The radio itself, while these faults let it. It follows them.
        case byItself(FaultSwitches)
    }

    /// The pause before the radio opens a channel again.
    private static let pause = Microseconds.milliseconds(100)

    fileprivate enum Quality {
        /// Everything arrives.
        case clear
        /// Nothing arrives, and neither side notices.
        case deaf
    }

    fileprivate struct State {
        var radio = RadioState.down
        var quality = Quality.clear
        var connections: UInt32 = 0
        var arrived: [[UInt8]] = []
        /// When the phone is to be asked again, if a wake-up is scheduled.
        var phoneWakeUp: Instant?
        /// The link that carries datagrams.
        var link: RadioLink
        /// When the link is next advanced, if it has to be.
        var scheduled: Instant?
        /// What earlier channels have carried.
        var traffic = RadioTraffic()
        /// When the radio may open a channel by itself.
        var opensAt = Instant.start
        /// Since when something has been on its way that is not in `traffic` yet, if something is.
        var carryingSince: Instant?
    }

    private let clock: VirtualClock
    private let phone: any VirtualPhone
    private let opening: Opening
    private let maximumSDU: Int
    private let contents: Mutex<State>

    /// A radio over which every datagram takes the same time. It is not connected yet.
    ///
    /// - Parameters:
    ///   - phone: the other end.
    ///   - clock: the watch's clock.
    ///   - latency: what a datagram takes either way.
    ///   - maximumSDU: the most bytes of one.
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
    ///   - cost: the pace of the events and what one carries.
    ///   - seed: randomness for `faults`.
    ///   - maximumSDU: the most bytes of a datagram.
    ///   - opening: who opens a channel.
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

    /// Loss and jitter from now on, where datagrams are carried in connection events; the other faults have no effect here.
    package var faults: WatchFaults {
        get { contents.withLock { $0.link.faults } }
        set {
            contents.withLock { $0.link.change(newValue, at: clock.now) }
            schedule()
        }
    }

    /// Whether something is on its way in connection events.
    package var isCarrying: Bool {
        contents.withLock { $0.carryingSince != nil }
    }

    package func connect() {
        let now = clock.now
        contents.withLock { state in
            state.retire(at: now)
            state.connections += 1
            state.quality = .clear
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

    /// Cuts the channel; what was under way is lost.
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

    /// From now on nothing arrives in either direction until the next channel. Neither side is notified.
    package func loseEverything() {
        contents.withLock { $0.quality = .deaf }
    }

    /// Whether what was sent over channel `number` still arrives.
    private func isAudible(_ number: UInt32) -> Bool {
        contents.withLock { state in
            switch (state.radio, state.quality) {
            case (.up(number, _), .clear): true
            case (.up, _), (.down, _): false
            }
        }
    }

    /// Sends what the phone has to send, after a change on it.
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

    /// Has the link carry a datagram to the watch.
    private func deliver(_ datagram: [UInt8]) {
        contents.withLock { state in
            state.link.sendToWatch(datagram, at: clock.now)
            state.noteCarriage(at: clock.now)
        }
        schedule()
    }

    /// Ends a wait of the watch's at this instant.
    private func wakeWatch() {
        clock.schedule(at: clock.now) {}
    }

    // MARK: The link's time

    /// Sees to it that the link is advanced when something is due.
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
            // One that was scheduled later than need be, or for an older channel, has nothing left to do.
            guard state.scheduled == time else { return ([], state.connections) }
            state.scheduled = nil
            // What comes now makes the air busy anew.
            state.noteCarriage(at: time)
            let outcomes = state.link.advance(to: time)
            state.noteCarriage(at: time)
            return (outcomes, state.connections)
        }
        for outcome in outcomes {
            switch outcome {
            case .arrivedAtWatch(let datagram):
                if isAudible(channel) { contents.withLock { $0.arrived.append(datagram) } }
            case .arrivedAtPhone(let datagram):
                guard isAudible(channel) else { continue }
                phone.receive(datagram, at: clock.now)
                runPhone()
            case .lost: cut()
            }
        }
        schedule()
    }

    // MARK: RadioPort

    package var state: RadioState { contents.withLock { $0.radio } }

    /// What it has carried, the events in which nothing was carried included.
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

    /// Has the connection become fast, if it was at rest.
    package func wearerActed(at now: Instant) {
        contents.withLock { $0.link.wearerActed(at: now) }
    }

    /// Nothing to poll: everything that happens is an event of the virtual clock.
    package var interest: RadioInterest {
        guard case .byItself(let switches) = opening, state == .down else { return RadioInterest(.nothing) }
        let faults = switches.faults
        return switch faults.link {
        // Where every packet is lost, none opens a channel.
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
    /// What was carried until `now`: events with something in them, and those that the watch listened in besides.
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

    /// Notes whether something is on its way from now on.
    mutating func noteCarriage(at now: Instant) {
        settleCarriage(at: now)
        carryingSince = link.isCarrying ? now : nil
    }

    /// Enters the time until now in which something was on its way: first in the air, then waiting.
    private mutating func settleCarriage(at now: Instant) {
        guard let since = carryingSince, since < now else { return }
        let end = airEnd(from: since, to: now)
        traffic.onAir = traffic.onAir + (end - since)
        traffic.waiting = traffic.waiting + (now - end)
        carryingSince = now
    }

    /// When the air falls silent between two times without a connection event between them.
    private func airEnd(from since: Instant, to now: Instant) -> Instant {
        min(max(link.airEnd ?? since, since), now)
    }
}
