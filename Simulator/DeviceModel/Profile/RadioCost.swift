import WatchLink

/// How a Bluetooth LE connection carries bytes: in connection events at an interval; the watch may sleep
/// through some of them while it has nothing to send (Bluetooth Core Specification 5.4, volume 6, part B, section
/// 4.5.1).
package struct RadioCost: Sendable, Equatable {
    /// The pace of a connection on which nothing has happened for a while.
    package struct Rest: Sendable, Equatable {
        /// For how long nothing has to happen before the watch asks for this pace.
        package var after: Microseconds
        /// The time from one connection event to the next.
        package var interval: Microseconds
        /// Events in a row that the watch may sleep through.
        package var latency: Int
    }

    /// The time from one connection event to the next while the watch is used: 7.5 ms to 4 s; zero stands for a link
    /// that takes no time.
    package var interval: Microseconds
    /// Events in a row that the watch may sleep through while it is used, 0 to 499.
    package var latency: Int
    /// Bytes of packets that one event carries in each direction: datagrams and what frames them.
    package var payloadPerEvent: Int
    /// How long no event may succeed until the connection is taken for lost.
    package var supervisionTimeout: Microseconds
    /// The slower pace at rest; nil for a connection that stays as it is.
    package var rest: Rest?

    /// The events of a connection at rest in `length`: those that the watch listens in.
    package func idleEvents(in length: Microseconds) -> Int {
        let (interval, latency) = rest.map { ($0.interval, $0.latency) } ?? (interval, latency)
        guard interval.count > 0 else { return 0 }
        return Int(length.count / (interval.count * UInt64(latency + 1)))
    }

    /// Bytes around each datagram: length and channel of an L2CAP frame, four bytes, and the length of the SDU in its
    /// first one, two bytes (Bluetooth Core Specification 5.4, volume 3, part A, section 3.4).
    package static let framing = 6

    /// Events from the one that carries the wish for another pace to the first one at that pace, at a latency: the six
    /// that the specification wants the phone to allow at least (5.4, volume 6, part B, section 5.1.1), and those that
    /// the watch may sleep through, as link layers in use count them (the BLE5 stack of Texas Instruments: latency + 1
    /// + 6).
    static func eventsToChange(latency: Int) -> Int { latency + 1 + 6 }
}
