import Synchronization
import Watch
import WatchLink

/// A watch's radio on a virtual clock, with a phone at the other end. It models connection events, or gives each datagram a
/// fixed transmission time.
package final class VirtualRadio: RadioPort, Sendable {
    /// Who opens channels: the caller or the radio.
    package enum Opening: Sendable {
        /// The caller opens each channel with `connect`.
        case onRequest
        /// The radio opens channels itself while these faults allow it.
        case byItself(FaultSwitches)
    }

    /// How long the radio waits after the end of a channel before it opens the next one itself.
    private static let pause = Microseconds.milliseconds(100)

    fileprivate struct State {
        var radio = RadioState.down
        /// Whether the radio drops every datagram without notice.
        var losesEverything = false
        var connections: UInt32 = 0
        var arrived: [[UInt8]] = []
        /// When the clock next calls `runPhone`. Nil or in the past if no call is scheduled.
        var phoneWakeUp: Instant?
        var link: RadioLink
        /// When the clock next calls `advance` for the link. Nil if no call is scheduled.
        var scheduled: Instant?
        /// The traffic of earlier channels. Includes `onAir` and `waiting` of the present channel, up to `carryingSince`.
        var traffic = RadioTraffic()
        /// The earliest time at which the radio may open a channel by itself.
        var opensAt = Instant.start
        /// The time up to which `traffic` includes `onAir` and `waiting`. Nil while no datagram is on its way.
        var carryingSince: Instant?
    }

    private let clock: VirtualClock
    private let phone: InMemoryPhone
    private let opening: Opening
    private let maximumSDU: Int
    private let contents: Mutex<State>

    /// Creates a radio on which each datagram takes the same time. It is not connected.
    ///
    /// - Parameters:
    ///   - phone: the phone at the other end.
    ///   - clock: the watch's clock.
    ///   - latency: the transmission time of a datagram in each direction.
    ///   - maximumSDU: the largest datagram, in bytes.
    package init(to phone: InMemoryPhone, clock: VirtualClock, latency: Microseconds, maximumSDU: Int = 512) {
        self.phone = phone
        opening = .onRequest
        self.clock = clock
        self.maximumSDU = maximumSDU
        contents = Mutex(State(link: RadioLink(.pipe(latency), seed: 0)))
    }

    /// Creates a radio that carries datagrams in connection events. It is not connected.
    ///
    /// - Parameters:
    ///   - phone: the phone at the other end.
    ///   - clock: the watch's clock.
    ///   - cost: the parameters and timing of the connection.
    ///   - seed: seeds the loss and the jitter of `faults`.
    ///   - maximumSDU: the largest datagram, in bytes.
    ///   - opening: who opens channels.
    package init(
        to phone: InMemoryPhone, clock: VirtualClock, cost: RadioCost, seed: UInt64 = 1, maximumSDU: Int = 512,
        opening: Opening = .onRequest
    ) {
        self.phone = phone
        self.opening = opening
        self.clock = clock
        self.maximumSDU = maximumSDU
        contents = Mutex(State(link: RadioLink(.events(cost), seed: seed)))
    }

    /// The active faults. Only loss and jitter have an effect, and only on a radio with connection events.
    package var faults: WatchFaults {
        get { contents.withLock { $0.link.faults } }
        set {
            contents.withLock { $0.link.change(newValue, at: clock.now) }
            schedule()
        }
    }

    /// Whether datagrams are on their way. Always false for a radio without connection events.
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

    /// Drops every datagram in both directions until the next channel opens. Neither side notices.
    package func loseEverything() {
        contents.withLock { $0.losesEverything = true }
    }

    /// Whether a datagram that was sent over channel `number` still arrives.
    private func delivers(_ number: UInt32) -> Bool {
        contents.withLock { !$0.losesEverything && $0.radio == .up(connection: number, maximumSDU: maximumSDU) }
    }

    /// Performs the phone's actions until the phone waits or closes the channel. Call this after each change of the phone. The
    /// radio itself calls it for datagrams, and when the phone's wait is over.
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

    /// Schedules the next call of `advance`, if the link needs one.
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
            // Ignores an event that a later schedule has replaced, or that belongs to an older channel.
            guard state.scheduled == time else { return ([], state.connections) }
            state.scheduled = nil
            // Counts the time before this event first, because the event's own data is on air after it.
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

    /// The traffic of all channels until now, including connection events without data.
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

    /// Records an action of the wearer. If the connection is slow, the watch then requests a fast one.
    package func wearerActed(at now: Instant) {
        contents.withLock { $0.link.wearerActed(at: now) }
    }

    /// When the radio next tries to open a channel by itself. There is nothing to poll, because everything happens in events of
    /// the virtual clock.
    package var interest: RadioInterest {
        guard case .byItself(let switches) = opening, state == .down else { return RadioInterest(.nothing) }
        let faults = switches.faults
        return switch faults.link {
        // No channel can open if every packet is lost.
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
    /// Returns the traffic of all channels until `now`, including the present one.
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

    /// Brings `onAir` and `waiting` up to date, and records whether datagrams are on their way at `now`.
    mutating func noteCarriage(at now: Instant) {
        settleCarriage(at: now)
        carryingSince = link.isCarrying ? now : nil
    }

    /// Splits the time since `carryingSince` into `onAir` and `waiting`, and adds both to `traffic`.
    private mutating func settleCarriage(at now: Instant) {
        guard let since = carryingSince, since < now else { return }
        let end = airEnd(from: since, to: now)
        traffic.onAir = traffic.onAir + (end - since)
        traffic.waiting = traffic.waiting + (now - end)
        carryingSince = now
    }

    /// Returns the end of the last packet, but not before `since` and not after `now`. Requires that no connection event begins
    /// between `since` and `now`.
    private func airEnd(from since: Instant, to now: Instant) -> Instant {
        min(max(link.airEnd ?? since, since), now)
    }
}
