import DeviceModel
import HostSystem
import Synchronization
import Watch
import WatchLink

/// One end of a channel of datagrams within this process: ordered, and whole while it is connected.
///
/// The two ends may be used from different threads. A new pair is not connected.
package final class InMemoryRadio: RadioPort, Sendable {
    private let medium: Medium
    private let side: Side

    private init(_ side: Side, of medium: Medium) {
        self.side = side
        self.medium = medium
    }

    /// Two ends of one channel, not connected yet.
    ///
    /// - Parameters:
    ///   - maximumSDU: the most bytes of one datagram.
    ///   - capacity: the datagrams that may wait at one end; sending more gives `.busy`.
    /// - Throws: `.systemCall` when there are no descriptors left.
    package static func pair(
        maximumSDU: Int = 512, capacity: Int = 64
    ) throws(DeviceModelError) -> (watch: InMemoryRadio, phone: InMemoryRadio) {
        let medium = try Medium(maximumSDU: maximumSDU, capacity: capacity)
        return (InMemoryRadio(.watch, of: medium), InMemoryRadio(.phone, of: medium))
    }

    /// Opens a new channel between the ends; what was under way in an older one is lost.
    package func connect() {
        medium.contents.withLock { contents in
            contents.connections += 1
            contents.channel = .connected(number: contents.connections)
            contents.inboxes = [[], []]
        }
        medium.signalBoth()
    }

    /// Cuts the channel; what was under way is lost. It stays cut until a test calls `connect`.
    package func cut() {
        medium.contents.withLock { contents in
            contents.channel = .cut
            contents.inboxes = [[], []]
        }
        medium.signalBoth()
    }

    /// What the channel can do at the moment.
    package var state: RadioState {
        medium.contents.withLock { contents in
            switch contents.channel {
            case .cut: .down
            case .connected(let number): .up(connection: number, maximumSDU: medium.maximumSDU)
            }
        }
    }

    /// Sends one datagram: `.refused` while cut or when it is too long, `.busy` while too many wait at the other end.
    package func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        send(datagram.indices.map { datagram[$0] })
    }

    /// Sends one datagram of `bytes`, as `send(_:)` with a span does.
    @discardableResult package func send(_ bytes: [UInt8]) -> RadioOutcome {
        let outcome = medium.contents.withLock { contents -> RadioOutcome in
            switch contents.channel {
            case .cut: return .refused
            case .connected:
                guard bytes.count <= medium.maximumSDU else { return .refused }
                guard contents.inboxes[side.other.rawValue].count < medium.capacity else { return .busy }
                contents.inboxes[side.other.rawValue].append(bytes)
                return .sent
            }
        }
        if outcome == .sent { medium.events[side.other.rawValue].signal() }
        return outcome
    }

    /// Copies the next datagram into `buffer` and returns its full length, or nil when none waits.
    package func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard let datagram = receive() else { return nil }
        for index in 0..<min(datagram.count, buffer.count) { buffer[index] = datagram[index] }
        return datagram.count
    }

    /// Takes the next datagram, or nil when none waits.
    package func receive() -> [UInt8]? {
        let (datagram, waited) = medium.contents.withLock { contents -> ([UInt8]?, Int) in
            let waited = contents.inboxes[side.rawValue].count
            return (waited > 0 ? contents.inboxes[side.rawValue].removeFirst() : nil, waited)
        }
        // The other end may wait for room.
        if waited == medium.capacity, datagram != nil { medium.events[side.other.rawValue].signal() }
        return datagram
    }

    package func disconnect() {
        cut()
    }

    /// Readable while a datagram waits, and after a change of the channel until `service`.
    package var interest: RadioInterest { RadioInterest(.readable(medium.events[side.rawValue].descriptor)) }

    /// Takes note of what has happened: from now on only news, or a datagram that still waits, ends a wait.
    package func service(at now: Instant) {
        medium.contents.withLock { contents in
            if contents.inboxes[side.rawValue].isEmpty { medium.events[side.rawValue].drain() }
        }
    }
}

extension InMemoryRadio {
    private enum Side: Int {
        case watch = 0
        case phone = 1

        var other: Side {
            switch self {
            case .watch: .phone
            case .phone: .watch
            }
        }
    }

    private enum Channel {
        case cut
        case connected(number: UInt32)
    }

    private struct Contents {
        var channel = Channel.cut
        var connections: UInt32 = 0
        /// What waits at each end, by `Side`.
        var inboxes: [[[UInt8]]] = [[], []]
    }

    private final class Medium: Sendable {
        let contents = Mutex(Contents())
        let maximumSDU: Int
        let capacity: Int
        /// One for each end, by `Side`.
        let events: [EventDescriptor]

        init(maximumSDU: Int, capacity: Int) throws(DeviceModelError) {
            self.maximumSDU = maximumSDU
            self.capacity = capacity
            events = [try .make(), try .make()]
        }

        func signalBoth() {
            for event in events { event.signal() }
        }
    }
}
