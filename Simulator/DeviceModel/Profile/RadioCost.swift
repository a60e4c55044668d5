import WatchLink

/// How a Bluetooth LE connection carries bytes: in connection events, which come at an interval, and of which the watch may
/// sleep through some while it has nothing to say (Bluetooth Core Specification 5.4, volume 6, part B, section 4.5.1).
public struct RadioCost: Sendable, Equatable {
    /// The time from one connection event to the next: 7.5 ms to 4 s; zero stands for air that takes no time.
    public var interval: Microseconds
    /// Events in a row that the watch may sleep through, 0 to 499.
    public var latency: Int
    /// Bytes of datagrams that one event carries in each direction.
    public var payloadPerEvent: Int
    /// How long no event may succeed until the connection is taken for lost.
    public var supervisionTimeout: Microseconds

    /// A connection of this pace.
    public init(interval: Microseconds, latency: Int, payloadPerEvent: Int, supervisionTimeout: Microseconds) {
        self.interval = interval
        self.latency = latency
        self.payloadPerEvent = payloadPerEvent
        self.supervisionTimeout = supervisionTimeout
    }

    /// What a connection that carries nothing is worth of events in `length`: those that the watch listens in.
    public func idleEvents(in length: Microseconds) -> Int {
        guard interval.count > 0 else { return 0 }
        return Int(length.count / (interval.count * UInt64(latency + 1)))
    }
}
