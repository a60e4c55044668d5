import DeviceModel
import Watch
import WatchLink

/// A watch's radio. It carries datagrams over the device model's `RadioLink` to the phone in reach.
final class AirRadio: RadioPort {
    private enum State {
        /// There is no channel. The watch tries to connect at this time.
        case resting(until: Instant)
        /// The last attempt found no phone. The watch does not try again until the scenario calls `encourage`.
        case waiting
        case up(AirChannel, number: UInt32)
    }

    private let connect: () -> AirChannel?
    private let tamper: (LinkEnd, [UInt8]) -> [[UInt8]]
    private(set) var link: RadioLink
    private var channelState: State
    private var delay: ReconnectDelay
    private var arrived: [[UInt8]] = []
    /// The ends to which all datagrams are lost until the channel closes. Neither end is notified.
    private(set) var deafEnds: [LinkEnd] = []
    private(set) var connections: UInt32 = 0
    private(set) var sent = 0
    var power: () -> Bool = { true }

    /// - Parameter tamper: returns the datagrams that arrive at an end in place of one that was sent.
    init(
        _ cost: RadioCost, seed: UInt64, from now: Instant, connect: @escaping () -> AirChannel?,
        tamper: @escaping (LinkEnd, [UInt8]) -> [[UInt8]]
    ) {
        link = RadioLink(.events(cost), seed: seed)
        delay = ReconnectDelay(seed: seed)
        channelState = .resting(until: now)
        (self.connect, self.tamper) = (connect, tamper)
    }

    private var channel: AirChannel? {
        switch channelState {
        case .up(let channel, _): channel
        case .resting, .waiting: nil
        }
    }

    // MARK: The board's side

    var state: RadioState {
        switch channelState {
        case .resting, .waiting: .down
        case .up(_, let number): .up(connection: number, maximumSDU: WatchLimits.largestSDU)
        }
    }

    func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        guard power(), let now = advanced, channel != nil else { return .refused }
        delay.carried(datagram)
        link.sendToPhone(datagram.indices.map { datagram[$0] }, at: now)
        sent += 1
        return .sent
    }

    func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard channel != nil, !arrived.isEmpty else { return nil }
        let datagram = arrived.removeFirst()
        delay.carried(datagram.span)
        for index in 0..<min(datagram.count, buffer.count) { buffer[index] = datagram[index] }
        return datagram.count
    }

    func disconnect() {
        guard case .up(let channel, _) = channelState else { return }
        // The datagrams that the watch has not read may include the phone's goodbye, which sets the pause before the
        // next attempt.
        for datagram in arrived { delay.carried(datagram.span) }
        channel.end()
        link.close()
        arrived = []
        channelState = .resting(until: (advanced ?? .start) + delay.next())
    }

    var interest: RadioInterest { RadioInterest(.nothing) }

    func service(at now: Instant) {
        advanced = now
        guard case .resting(let end) = channelState, end <= now, power() else { return }
        guard let channel = connect() else { return channelState = .waiting }
        connections += 1
        deafEnds = []
        link.open(at: now)
        channelState = .up(channel, number: connections)
    }

    func wearerActed(at now: Instant) {
        link.wearerActed(at: now)
    }

    // MARK: The scenario's side

    /// The time of the last `service` or `cut`. It is ahead of the simulation's clock while the watch is busy.
    private var advanced: Instant?

    var isQuiet: Bool { link.isEmpty && arrived.isEmpty }

    var isUp: Bool { channel != nil }

    var attemptDue: Instant? {
        switch channelState {
        case .resting(let end): end
        case .waiting, .up: nil
        }
    }

    /// Schedules an attempt to connect at `time` if the last attempt found no phone.
    func encourage(at time: Instant) {
        if case .waiting = channelState { channelState = .resting(until: time) }
    }

    func change(_ faults: WatchFaults, at now: Instant) {
        link.change(faults, at: now)
    }

    func deafen(_ ends: [LinkEnd]) {
        if channel != nil { deafEnds = ends }
    }

    func cut(at now: Instant) {
        advanced = max(advanced ?? now, now)
        disconnect()
    }

    func takeFromPhone(at now: Instant) {
        guard let channel else { return }
        for datagram in channel.takeSent() { link.sendToWatch(datagram, at: max(now, advanced ?? now)) }
    }

    var isOver: Bool {
        guard let channel else { return false }
        return !channel.isOpen && link.isEmpty
    }

    func nextDue(at now: Instant) -> Instant? {
        // If the watch is ahead of the simulation's clock, the link is ahead too.
        channel == nil ? nil : link.nextDue(at: max(now, advanced ?? now))
    }

    /// Advances the link to `now`. Returns whether a datagram has arrived at the watch, or the link was lost.
    func carry(until now: Instant) -> Bool {
        guard let channel else { return false }
        var isNews = false
        for outcome in link.advance(to: now) {
            switch outcome {
            case .arrivedAtWatch(let bytes):
                channel.carried()
                guard !deafEnds.contains(.watch) else { continue }
                arrived += tamper(.watch, bytes)
                isNews = true
            case .arrivedAtPhone(let bytes):
                guard !deafEnds.contains(.phone) else { continue }
                for datagram in tamper(.phone, bytes) { channel.deliver(datagram) }
            case .lost:
                cut(at: now)
                return true
            }
        }
        return isNews
    }
}
