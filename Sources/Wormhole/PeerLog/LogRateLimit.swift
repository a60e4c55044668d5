import WatchLink

struct LogRateLimit: Sendable {
    /// The maximum number of lines per minute about one peer. A wearer who checks off four items per second stays
    /// within it.
    static let perPeer = 240
    /// The maximum number of lines per minute in total, even if a program connects under many invented names. Only
    /// warnings may exceed it, by at most `warnings`.
    static let together = 1_200
    /// How many more warnings per minute are logged after all lines have reached the limit `together`. A flood of harmless lines
    /// then hides no warning.
    static let warnings = 480
    static let window = Microseconds.seconds(60)

    struct Omission: Hashable, Sendable {
        /// The peer that the omitted lines are about; empty if they are about no peer. If `peer` is nil, `lines` counts
        /// the omitted lines about all peers that have no written line in that minute.
        var peer: String?
        var lines: Int
    }

    private struct Count {
        var written = 0
        var leftOut = 0
    }

    private var start = Instant.start
    private var peers: [String: Count] = [:]
    private var all = Count()

    /// Decides whether to write a line about `peer` (empty for none), and counts the line. At the first line of a new
    /// minute, also returns how many lines were omitted in the previous minute.
    mutating func take(
        _ peer: String, isWarning: Bool = false, at now: Instant
    ) -> (isWritten: Bool, omissions: [Omission]) {
        let limit = LogRateLimit.together + (isWarning ? LogRateLimit.warnings : 0)
        let omissions = now - start >= LogRateLimit.window ? restart(at: now) : []
        // Peers without a written line get no entry, so there are never more entries than lines.
        guard all.written < limit || peers[peer] != nil else {
            all.leftOut += 1
            return (false, omissions)
        }
        guard all.written < limit, peers[peer, default: Count()].written < LogRateLimit.perPeer else {
            peers[peer]?.leftOut += 1
            return (false, omissions)
        }
        peers[peer, default: Count()].written += 1
        all.written += 1
        return (true, omissions)
    }

    private mutating func restart(at now: Instant) -> [Omission] {
        defer { self = LogRateLimit(start: now) }
        var omissions = peers.filter { $0.value.leftOut > 0 }.sorted { $0.key < $1.key }
            .map { Omission(peer: $0.key, lines: $0.value.leftOut) }
        if all.leftOut > 0 { omissions.append(Omission(peer: nil, lines: all.leftOut)) }
        return omissions
    }

    init(start: Instant = .start) {
        self.start = start
    }
}
