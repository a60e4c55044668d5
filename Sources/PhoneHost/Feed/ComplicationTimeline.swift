import WatchLink

/// The complication entries that the phone publishes for its watches in one message: at most 16, in at most 500 bytes.
///
/// As in ClockKit, the phone can reload the time line, or extend it. To extend the time line, the phone removes the entries
/// that have passed, and appends later entries.
package struct ComplicationTimeline: Equatable, Sendable {
    /// The entries in ascending order of date. An entry has an expiry only if it expires before the next entry begins.
    package private(set) var entries: [ComplicationEntry]

    /// The maximum size of the message in bytes, including its name. A message of this size fits into a datagram of 512
    /// bytes, the maximum of a watch.
    static let mostBytes = 500
    /// The minimum time between two extensions, in seconds.
    package static let extensionPause: UInt32 = 600

    /// Keeps the first entries that fit into a message.
    ///
    /// - Parameter entries: in order of date. An entry may expire after the next entry begins.
    package init(_ entries: [ComplicationEntry] = []) {
        self.entries = ComplicationTimeline.fitting(entries)
    }

    /// Reads a time line from the payload of a message.
    package init(payload: [UInt8]) throws(CBORError) {
        var reader = try ComplicationMessageReader(CBORReader(payload.span))
        entries = []
        while let entry = reader.next() { entries.append(entry) }
    }

    package mutating func reload(_ entries: [ComplicationEntry]) {
        self.entries = ComplicationTimeline.fitting(entries)
    }

    /// Removes the entries that have passed at `now`. Then appends the entries of `later` that begin after the last entry,
    /// until the message is full.
    package mutating func extend(_ later: [ComplicationEntry], at now: UInt32) {
        dropPast(at: now)
        let last = entries.last?.date
        entries = ComplicationTimeline.fitting(entries + later.filter { $0.date > last ?? 0 || last == nil })
    }

    private mutating func dropPast(at now: UInt32) {
        let current = entries.lastIndex { $0.date <= now } ?? 0
        entries = Array(entries[current...].drop { $0.date <= now && !$0.isCurrent(at: now) })
    }

    /// Returns the first entries that fit into a message. Keeps the expiry of an entry only if the entry expires before
    /// the next one begins.
    private static func fitting(_ entries: [ComplicationEntry]) -> [ComplicationEntry] {
        var fitting: [ComplicationEntry] = []
        var bytes = ComplicationMessage.overhead
        for entry in entries.prefix(ComplicationMessage.mostEntries) {
            if let last = fitting.last, let expires = last.expires, entry.date <= expires {
                fitting[fitting.count - 1].expires = nil
                bytes -= last.encodedSize - fitting[fitting.count - 1].encodedSize
            }
            bytes += entry.encodedSize
            guard bytes <= mostBytes else {
                // `entry` does not fit after all, so the last one that fits needs its expiry.
                if let last = fitting.indices.last { fitting[last].expires = entries[last].expires }
                break
            }
            fitting.append(entry)
        }
        return fitting
    }
}

extension ComplicationTimeline {
    /// How the time line of a watch must change to show the entries of a `ComplicationPlan`.
    package enum Update: Equatable, Sendable {
        /// The time line already has the plan's entries, or as many of them as fit.
        case unchanged
        /// The plan is the same, but entries have passed. The associated time line has further entries of the plan.
        case extend(ComplicationTimeline)
        /// The plan has changed. The associated time line has the first entries of the changed plan.
        case reload(ComplicationTimeline)
    }

    package func update(to plan: ComplicationPlan, at now: UInt32) -> Update {
        let wanted = plan.entries
        var present = self
        present.dropPast(at: now)
        guard present.isBeginning(of: wanted, at: now) else {
            present.reload(wanted)
            return .reload(present)
        }
        let kept = present.entries.count
        guard wanted.count > kept else { return .unchanged }
        guard hasNoRoom(for: wanted[kept]) else {
            present.reload(wanted)
            return .reload(present)
        }
        present.extend(wanted, at: now)
        return present.entries.count > kept ? .extend(present) : .unchanged
    }

    /// Whether the message has no space for `next`, the plan's first entry that the time line lacks. If the message has
    /// space, the plan has changed.
    private func hasNoRoom(for next: ComplicationEntry) -> Bool {
        ComplicationTimeline(entries + [next]).entries.count <= entries.count
    }

    /// Whether the plan begins with the entries of the time line. The plan's first entry may have a different date than the
    /// time line's first entry if both dates have passed.
    private func isBeginning(of wanted: [ComplicationEntry], at now: UInt32) -> Bool {
        var wanted = Array(wanted.prefix(entries.count))
        guard wanted.count == entries.count else { return false }
        if let first = entries.first, let other = wanted.first, max(first.date, other.date) <= now {
            wanted[0].date = first.date
        }
        return ComplicationTimeline.withoutSuperfluousExpiries(wanted) == entries
    }

    private static func withoutSuperfluousExpiries(_ entries: [ComplicationEntry]) -> [ComplicationEntry] {
        entries.indices.map { index in
            var entry = entries[index]
            if index + 1 < entries.count, let expires = entry.expires, entries[index + 1].date <= expires {
                entry.expires = nil
            }
            return entry
        }
    }

    /// Returns when the phone should next update the time line, in local seconds since 1970. Nil if the time line has
    /// the whole plan.
    ///
    /// The update is due when the next entry begins, or at `now` if every entry has begun.
    package func nextUpdate(at plan: ComplicationPlan, now: UInt32) -> UInt32? {
        var present = self
        present.dropPast(at: now)
        guard plan.steps.count > present.entries.count else { return nil }
        return present.entries.first { $0.date > now }?.date ?? now
    }
}
