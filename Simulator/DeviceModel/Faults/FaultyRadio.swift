import Watch
import WatchLink

/// A radio over slow or faulty air: what it hands on to another one, and gets from it, takes the time that the events of a
/// Bluetooth connection take, and longer where some are lost; a cut closes the channel and keeps it closed.
///
/// Without faults, and with a cost of nothing, it is the other radio.
public final class FaultyRadio: RadioPort {
    private let radio: any RadioPort
    private let switches: FaultSwitches
    private let clock: ClockControl
    private var air: FaultyAir
    /// When `service` was last called, which is just before anything is sent or received.
    private var now = Instant.start
    /// Whether what is due could be handed on.
    private var way = Way.free

    private enum Way {
        /// It could.
        case free
        /// The radio has no room for it.
        case blocked
    }

    /// A radio whose faults `switches` has.
    ///
    /// - Parameters:
    ///   - radio: the radio under it, which it uses alone.
    ///   - switches: what is wrong.
    ///   - clock: the watch's time, which goes no faster than the phone's while the watch waits for an answer: the link's time-outs
    ///     would otherwise be over before the phone has read the question.
    ///   - cost: the events and what they carry; nothing where the radio under it has air of its own.
    ///   - seed: randomness for the faults.
    public init(_ radio: any RadioPort, switches: FaultSwitches, clock: ClockControl, cost: RadioCost, seed: UInt64) {
        self.clock = clock
        self.radio = radio
        self.switches = switches
        air = FaultyAir(cost, seed: seed)
    }

    /// What the radio can do at the moment: nothing while it is cut.
    public var state: RadioState {
        switch switches.faults.air {
        case .open: radio.state
        case .cut, .cutUntil: .down
        }
    }

    /// What to watch while waiting.
    public var interest: RadioInterest {
        switch switches.faults.air {
        case .cut: return RadioInterest(.nothing)
        case .cutUntil(let end): return RadioInterest(.nothing, wakeAt: end)
        case .open: break
        }
        if let end = air.endOfSilence { return RadioInterest(.nothing, wakeAt: end) }
        if switches.faults.loss >= 100 { return RadioInterest(.nothing) }
        var interest = radio.interest
        let next: Instant? =
            switch way {
            case .free: air.nextDue
            case .blocked: air.toWatch.first?.due
            }
        interest.wakeAt = [interest.wakeAt, next].compactMap { $0 }.min()
        return interest
    }

    /// Lets the radio make progress, and what is late arrive.
    public func service(at now: Instant) {
        self.now = now
        switches.reopen(at: now)
        let faults = switches.faults
        switch faults.air {
        case .cut, .cutUntil: return close()
        case .open: break
        }
        switch air.silence(faults, isUp: radio.state != .down, at: now) {
        case .heard: break
        case .silent: return
        case .over: return close()
        }
        radio.service(at: now)
        switch air.follow(radio.state, at: now) {
        case .same: break
        // A new channel: the phone has to say hello.
        case .opened: clock.hold()
        case .closed: clock.release()
        }
        handOn()
        if !isPlain(faults) || !air.toWatch.isEmpty { takeIn(faults) }
    }

    /// Hands over one datagram, or keeps it until it is due.
    public func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        let faults = switches.faults
        guard state != .down else { return .refused }
        if isPlain(faults), air.toPhone.isEmpty {
            if !datagram.isEmpty { hold(for: datagram[0]) }
            return radio.send(datagram)
        }
        air.sendToPhone(datagram.indices.map { datagram[$0] }, faults, at: now)
        handOn()
        return .sent
    }

    /// Copies the next datagram that is due into `buffer`.
    public func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard state != .down, switches.faults.loss < 100 else { return nil }
        if air.toWatch.isEmpty, isPlain(switches.faults) {
            guard let count = radio.receive(into: &buffer) else { return nil }
            clock.release()
            return count
        }
        guard let datagram = air.takeForWatch(at: now) else { return nil }
        for index in 0..<min(datagram.count, buffer.count) { buffer[index] = datagram[index] }
        return datagram.count
    }

    /// Closes the channel; the radio then connects again by itself.
    public func disconnect() {
        air.clear()
        clock.release()
        radio.disconnect()
    }

    /// What the radio has carried.
    public var traffic: RadioTraffic { radio.traffic }

    /// Tells the radio.
    public func wearerActed(at now: Instant) { radio.wearerActed(at: now) }

    /// Whether datagrams go straight through.
    private func isPlain(_ faults: WatchFaults) -> Bool { air.isInstant && faults.isNone }

    /// Lets the watch's time wait for the phone's answer to a frame of that kind. What the air takes is the watch's own time.
    private func hold(for kind: UInt8) {
        if FrameKind(rawValue: kind).isQuestion { clock.hold() }
    }

    private func close() {
        air.clear()
        clock.release()
        if radio.state != .down { radio.disconnect() }
    }

    /// Sends what is due.
    private func handOn() {
        way = .free
        guard switches.faults.loss < 100 else { return }
        while let datagram = air.toPhone.first, datagram.due <= now {
            switch radio.send(datagram.bytes.span) {
            case .sent:
                if let kind = datagram.bytes.first { hold(for: kind) }
                air.toPhone.removeFirst()
            case .busy:
                way = .blocked
                return
            case .refused: return
            }
        }
    }

    /// Takes what has come from the phone, which is due at once or later.
    private func takeIn(_ faults: WatchFaults) {
        var buffer = [UInt8](repeating: 0, count: WatchLimits.largestSDU)
        while true {
            var span = buffer.mutableSpan
            guard let count = radio.receive(into: &span) else { return }
            clock.release()
            // What is longer than the watch can take is cut, and stays too long.
            var bytes = Array(buffer.prefix(count))
            if count > bytes.count { bytes += Array(repeating: 0, count: count - bytes.count) }
            air.sendToWatch(bytes, faults, at: now)
        }
    }
}

extension FrameKind {
    /// Whether the phone answers it at once.
    fileprivate var isQuestion: Bool { self == .hello || self == .ping || !isControl }
}
