import WatchLink

/// How many lines a log gets about each peer, and about all of them together, in a minute.
struct LogRateLimit: Sendable {
    /// Lines about one peer in a minute: a wearer who checks off four items a second.
    static let perPeer = 240
    /// Lines about all peers in a minute, so that inventing peers helps nobody.
    static let together = 1_200
    /// Warnings in a minute beyond those: a flood of lines that say nothing bad hides none that does.
    static let warnings = 480
    /// The minute.
    static let window = Microseconds.seconds(60)

    /// What was left out in a minute that is over.
    struct Omission: Hashable, Sendable {
        /// Nil for peers that had no line at all.
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

    /// Whether a line about `peer` is written at `now`, and what was left out in the minute before.
    mutating func take(
        _ peer: String, isWarning: Bool = false, at now: Instant
    ) -> (isWritten: Bool, omissions: [Omission]) {
        let limit = LogRateLimit.together + (isWarning ? LogRateLimit.warnings : 0)
        let omissions = now - start >= LogRateLimit.window ? restart(at: now) : []
        // A peer without a line gets no entry, so there are no more entries than lines.
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
