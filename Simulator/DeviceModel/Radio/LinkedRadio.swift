import Watch
import WatchLink

/// A radio that puts a simulated link between the watch and another radio. Each datagram waits for the link's
/// connection events, and longer if packets are lost. While a fault cuts the link, the state is `.down`.
///
/// If the link takes no time and no fault is active, datagrams go directly to the other radio.
package final class LinkedRadio: RadioPort {
    /// A datagram from the phone that waits until `due` before it enters the link. The fault `WatchFaults.phone` makes it
    /// wait for the phone's slow database.
    private struct Answer {
        var bytes: [UInt8]
        var due: Instant
    }

    private let radio: any RadioPort
    private let switches: FaultSwitches
    private let clock: ClockControl
    private let cost: RadioCost
    private var link: RadioLink
    /// The number of the other radio's present connection, from its `RadioState.up`. Nil while there is none.
    private var connection: UInt32?
    private var outgoing: [[UInt8]] = []
    private var answers: [Answer] = []
    /// Datagrams from the phone that have crossed the link, and that the watch has not received yet.
    private var arrived: [[UInt8]] = []
    /// When a message for the phone's database last reached the phone.
    private var asked: Instant?
    /// When `service` was last called. The board calls it just before each send and receive, so this is close to the
    /// present time.
    private var serviced: Instant?

    /// Creates a radio whose link has the timing of `profile`. If `radio` itself takes time, as Bluetooth does, pass the
    /// profile `.instant`, whose link takes no time.
    package convenience init(
        _ radio: any RadioPort, switches: FaultSwitches, clock: ClockControl, profile: DeviceProfile, seed: UInt64
    ) {
        self.init(radio, switches: switches, clock: clock, cost: profile.radio, seed: seed)
    }

    /// Creates a radio whose link has the timing of `cost`. Only this object may use `radio`.
    ///
    /// While the watch waits for the phone's answer, this object lets `clock` run no faster than this machine's clock.
    /// On a faster clock, the watch's timeouts could end before the phone, which works in real time, has read the
    /// watch's frame.
    ///
    /// If `radio` itself takes time, pass a `cost` with an interval of zero. The link then has the supervision timeout
    /// of `.memoryLCD`.
    package init(_ radio: any RadioPort, switches: FaultSwitches, clock: ClockControl, cost: RadioCost, seed: UInt64) {
        var cost = cost
        if cost.interval == .zero { cost.supervisionTimeout = DeviceProfile.memoryLCD.radio.supervisionTimeout }
        self.clock = clock
        self.radio = radio
        self.switches = switches
        self.cost = cost
        link = RadioLink(.events(cost), seed: seed)
    }

    package var state: RadioState {
        switch switches.faults.link {
        case .open: radio.state
        case .cut, .cutUntil: .down
        }
    }

    package var interest: RadioInterest {
        switch switches.faults.link {
        case .cut: return RadioInterest(.nothing)
        case .cutUntil(let end): return RadioInterest(.nothing, wakeAt: end)
        case .open: break
        }
        let next = serviced.flatMap { link.nextDue(at: $0) }
        if switches.faults.loss >= 1 { return RadioInterest(.nothing, wakeAt: next) }
        var interest = radio.interest
        interest.wakeAt = [interest.wakeAt, next, answers.first?.due].compactMap { $0 }.min()
        return interest
    }

    package func service(at now: Instant) {
        serviced = now
        switches.reopen(at: now)
        let faults = switches.faults
        guard faults.link == .open else { return close() }
        link.change(faults, at: now)
        guard faults.loss < 1 else { return waitInSilence(until: now) }
        radio.service(at: now)
        follow(radio.state, at: now)
        carry(until: now)
        handOn()
        if !isPlain { takeIn(faults, at: now) }
    }

    /// Closes the channel if the supervision timeout has ended by `now`. Called while every packet is lost.
    private func waitInSilence(until now: Instant) {
        guard link.advance(to: now).contains(.lost) else { return }
        close()
    }

    private func follow(_ state: RadioState, at now: Instant) {
        let number: UInt32? =
            switch state {
            case .down: nil
            case .up(let connection, _): connection
            }
        guard number != connection else { return }
        clear()
        connection = number
        if number == nil {
            clock.release()
        } else {
            link.open(at: now)
            // The phone sends its hello in real time. Until then, the watch's clock must not run faster.
            clock.hold()
        }
    }

    /// Sends a datagram over the link, and then over the other radio. Returns `.refused` if there is no channel, or
    /// before the first call of `service`.
    package func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        guard state != .down, let now = serviced else { return .refused }
        if isPlain {
            if !datagram.isEmpty { hold(for: datagram[0]) }
            return radio.send(datagram)
        }
        link.sendToPhone(datagram.indices.map { datagram[$0] }, at: now)
        carry(until: now)
        handOn()
        return .sent
    }

    package func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard state != .down, switches.faults.loss < 1 else { return nil }
        if isPlain {
            guard let count = radio.receive(into: &buffer) else { return nil }
            clock.release()
            return count
        }
        guard !arrived.isEmpty else { return nil }
        let datagram = arrived.removeFirst()
        for index in 0..<min(datagram.count, buffer.count) { buffer[index] = datagram[index] }
        return datagram.count
    }

    package func disconnect() {
        clear()
        clock.release()
        radio.disconnect()
    }

    package var traffic: RadioTraffic { radio.traffic }

    package func wearerActed(at now: Instant) {
        link.wearerActed(at: now)
        radio.wearerActed(at: now)
    }

    /// Whether datagrams go directly to the other radio.
    private var isPlain: Bool {
        cost.interval == .zero && switches.faults.isNone && link.isEmpty && outgoing.isEmpty && answers.isEmpty
            && arrived.isEmpty
    }

    /// If the phone answers a frame of this kind at once, limits the watch's clock to the speed of this machine's clock.
    /// The limit ends when the phone's next datagram arrives.
    private func hold(for kind: UInt8) {
        if FrameKind(rawValue: kind).isQuestion { clock.hold() }
    }

    private func close() {
        clear()
        clock.release()
        if radio.state != .down { radio.disconnect() }
    }

    private func clear() {
        link.close()
        (outgoing, answers, arrived) = ([], [], [])
        asked = nil
        connection = nil
    }

    private func carry(until now: Instant) {
        for outcome in link.advance(to: now) {
            switch outcome {
            case .arrivedAtWatch(let bytes): arrived.append(bytes)
            case .arrivedAtPhone(let bytes):
                if let kind = bytes.first, !FrameKind(rawValue: kind).isControl { asked = now }
                outgoing.append(bytes)
            case .lost: return close()
            }
        }
    }

    private func handOn() {
        while let datagram = outgoing.first {
            switch radio.send(datagram.span) {
            case .sent:
                if let kind = datagram.first { hold(for: kind) }
                outgoing.removeFirst()
            case .busy, .refused: return
            }
        }
    }

    /// Receives the phone's datagrams from the other radio, and sends them over the link to the watch. The fault
    /// `WatchFaults.phone` delays each datagram except a ping or pong, because the phone's database is slow. Datagrams keep
    /// their order.
    private func takeIn(_ faults: WatchFaults, at now: Instant) {
        var buffer = [UInt8](repeating: 0, count: WatchLimits.largestSDU)
        while true {
            var span = buffer.mutableSpan
            guard let count = radio.receive(into: &span) else { break }
            clock.release()
            // A datagram that was too long for the buffer gets zeros up to its original length, so the watch rejects it.
            var bytes = Array(buffer.prefix(count))
            if count > bytes.count { bytes += Array(repeating: 0, count: count - bytes.count) }
            answers.append(Answer(bytes: bytes, due: max(answers.last?.due ?? now, due(of: bytes, faults, at: now))))
        }
        while let answer = answers.first, answer.due <= now {
            link.sendToWatch(answers.removeFirst().bytes, at: answer.due)
        }
        carry(until: now)
    }

    private func due(of bytes: [UInt8], _ faults: WatchFaults, at now: Instant) -> Instant {
        let isSignOfLife = bytes.first == FrameKind.ping.rawValue || bytes.first == FrameKind.pong.rawValue
        guard faults.phone > .zero, !isSignOfLife, let asked else { return now }
        return max(now, asked + faults.phone)
    }
}

extension FrameKind {
    /// Whether the phone answers a frame of this kind at once.
    fileprivate var isQuestion: Bool { self == .hello || self == .ping || !isControl }
}
