import DeviceModel
import HostSystem
import Synchronization
import Watch
import WatchLink

/// One end of a datagram channel within this process. While the channel is connected, all datagrams arrive, in order.
///
/// The two ends may be used from different threads.
package final class InMemoryRadio: RadioPort, Sendable {
    private let medium: Medium
    private let side: Side

    private init(_ side: Side, of medium: Medium) {
        self.side = side
        self.medium = medium
    }

    /// Makes the two ends of a channel. The channel is not connected yet.
    ///
    /// - Parameters:
    ///   - maximumSDU: the maximum size of a datagram in bytes.
    ///   - capacity: the maximum number of datagrams that may wait at one end.
    /// - Throws: `.systemCall` if the process has no descriptors left.
    package static func pair(
        maximumSDU: Int = 512, capacity: Int = 64
    ) throws(DeviceModelError) -> (watch: InMemoryRadio, phone: InMemoryRadio) {
        let medium = try Medium(maximumSDU: maximumSDU, capacity: capacity)
        return (InMemoryRadio(.watch, of: medium), InMemoryRadio(.phone, of: medium))
    }

    package func connect() {
        medium.contents.withLock { contents in
            contents.connections += 1
            contents.channel = .connected(number: contents.connections)
            contents.inboxes = [[], []]
        }
        medium.signalBoth()
    }

    package func cut() {
        medium.contents.withLock { contents in
            contents.channel = .cut
            contents.inboxes = [[], []]
        }
        medium.signalBoth()
    }

    package var state: RadioState {
        medium.contents.withLock { contents in
            switch contents.channel {
            case .cut: .down
            case .connected(let number): .up(connection: number, maximumSDU: medium.maximumSDU)
            }
        }
    }

    /// Sends one datagram. Returns `.refused` if the channel is cut or the datagram is too long, and `.busy` if too
    /// many datagrams wait at the other end.
    package func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        send(datagram.indices.map { datagram[$0] })
    }

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

    package func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard let datagram = receive() else { return nil }
        for index in 0..<min(datagram.count, buffer.count) { buffer[index] = datagram[index] }
        return datagram.count
    }

    package func receive() -> [UInt8]? {
        let (datagram, waited) = medium.contents.withLock { contents -> ([UInt8]?, Int) in
            let waited = contents.inboxes[side.rawValue].count
            return (waited > 0 ? contents.inboxes[side.rawValue].removeFirst() : nil, waited)
        }
        // The other end may be waiting for room.
        if waited == medium.capacity, datagram != nil { medium.events[side.other.rawValue].signal() }
        return datagram
    }

    package func disconnect() {
        cut()
    }

    /// The descriptor is readable while a datagram waits. It also becomes readable when the channel changes or the
    /// other end has room again, and stays so until `service` is called.
    package var interest: RadioInterest { RadioInterest(.readable(medium.events[side.rawValue].descriptor)) }

    /// Makes the descriptor of `interest` unreadable, unless a datagram waits.
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
        var inboxes: [[[UInt8]]] = [[], []]
    }

    private final class Medium: Sendable {
        let contents = Mutex(Contents())
        let maximumSDU: Int
        let capacity: Int
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
