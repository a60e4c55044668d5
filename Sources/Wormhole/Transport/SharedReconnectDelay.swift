import Synchronization
import WatchLink

/// The `ReconnectDelay` of a side that connects, which outlives its channels.
package final class SharedReconnectDelay: Sendable {
    private let delay: Mutex<ReconnectDelay>

    package init(_ delay: ReconnectDelay) {
        self.delay = Mutex(delay)
    }

    /// Call when a channel has ended or did not come up. Returns the time to wait before the next attempt.
    package func next() -> Microseconds { delay.withLock { $0.next() } }

    /// The channel, which reports to this delay what it carries.
    package func observe(_ transport: any DatagramTransport) -> ObservedTransport {
        ObservedTransport(transport) { datagram, _ in self.delay.withLock { $0.carried(datagram.span) } }
    }
}

/// The pause between attempts to connect: it doubles with each failure, up to a limit.
package struct DoublingPause: Sendable {
    private let shortest: Microseconds
    private let longest: Microseconds
    private var next: Microseconds

    package init(shortest: Microseconds, longest: Microseconds) {
        self.shortest = shortest
        self.longest = longest
        next = shortest
    }

    /// The pause after one more failure.
    package mutating func failed() -> Microseconds {
        defer { next = min(next + next, longest) }
        return next
    }

    /// An attempt has succeeded: the next pause is the shortest.
    package mutating func succeeded() { next = shortest }
}
