import WatchLink

/// The timing of connection events (Bluetooth Core Specification 5.4, volume 6, part B, section 4.5.1).
struct ConnectionParameters: Hashable, Sendable {
    /// The shortest time between two connection events, in units of 1.25 ms, 6 to 3,200.
    let shortestInterval: UInt16
    /// The longest one, in the same units.
    let longestInterval: UInt16
    /// How many connection events in a row the peripheral may skip, 0 to 499.
    let latency: UInt16
    /// The time without a packet after which the link is lost, in units of 10 ms, 10 to 3,200.
    let supervisionTimeout: UInt16
}

extension ConnectionPriority {
    /// The numbers of an existing watch (PebbleOS, `gap_le_connect_params.c`). The supervision timeout is 6 s, far more than
    /// the 0.36 s that the specification requires for the slow link, so that an arm between the devices does not end it.
    var parameters: ConnectionParameters {
        switch self {
        case .fast:
            ConnectionParameters(shortestInterval: 12, longestInterval: 12, latency: 0, supervisionTimeout: 600)
        case .slow:
            ConnectionParameters(shortestInterval: 24, longestInterval: 36, latency: 3, supervisionTimeout: 600)
        }
    }
}
