import WatchLink

struct LogRateLimit: Sendable {
    /// The most lines a minute about one peer: enough for a wearer who checks off four items a second.
    static let perPeer = 240
    /// The most lines a minute about all peers. A program that invents peer names cannot exceed this limit.
    static let together = 1_200
    /// The additional lines a minute that are for warnings only, so that a flood of harmless lines hides no warning.
    static let warnings = 480
    static let window = Microseconds.seconds(60)

    struct Omission: Hashable, Sendable {
        /// The peer that the omitted lines are about: empty for no peer, nil for all the peers without a written line in this
        /// minute.
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

    /// Decides whether a line is written. Also returns the omissions of the minute that has just ended.
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
