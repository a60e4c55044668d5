/// How often the controllers of two connected devices meet (Bluetooth Core Specification 5.4, volume 6, part B, section
/// 4.5.1).
struct ConnectionParameters: Hashable, Sendable {
    /// The shortest time between two meetings, in units of 1.25 ms, 6 to 3,200.
    let shortestInterval: UInt16
    /// The longest one, in the same units.
    let longestInterval: UInt16
    /// How many meetings in a row the peripheral may miss, 0 to 499.
    let latency: UInt16
    /// After how long without a word the link is lost, in units of 10 ms, 10 to 3,200.
    let supervisionTimeout: UInt16
}

/// How fast a link should be. A faster one costs the watch's battery more.
package enum ConnectionPriority: Hashable, Sendable {
    /// A meeting every 15 ms, the shortest that phones grant: while a person waits for an answer.
    case fast
    /// A connection event every 30 to 45 ms; the watch may skip three in a row. For times when nothing happens.
    case slow

    /// The numbers of an existing watch (PebbleOS, `gap_le_connect_params.c`). The link is lost after 6 s without a
    /// word, far more than the 0.36 s that the specification asks for where it is slow, so that an arm in between does
    /// not end it.
    var parameters: ConnectionParameters {
        switch self {
        case .fast:
            ConnectionParameters(shortestInterval: 12, longestInterval: 12, latency: 0, supervisionTimeout: 600)
        case .slow:
            ConnectionParameters(shortestInterval: 24, longestInterval: 36, latency: 3, supervisionTimeout: 600)
        }
    }
}

/// What became of a wish for another pace.
package enum PaceOutcome: Hashable, Sendable {
    /// The controller was asked. Whether the other side agrees is between the two controllers.
    case asked
    /// This process may not ask: it takes CAP_NET_RAW, or root. The link keeps the pace that the kernel chose.
    ///
    /// The kernel chooses the parameters that bluetoothd has kept for the device, which are those that a peripheral has
    /// asked for before (`[ConnectionParameters]` in /var/lib/bluetooth/ADAPTER/DEVICE/info), else those of `[LE]` in
    /// /etc/bluetooth/main.conf (MinConnectionInterval, MaxConnectionInterval, ConnectionLatency), else 30 to 50 ms
    /// without latency.
    case notAllowed
}
