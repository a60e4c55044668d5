import WatchLink

/// The time line of a watch's complication, which can be replaced, or extended as time passes, as with ClockKit.
///
/// A watch takes 16 entries, and a message of 500 bytes: what does not fit is added when entries have become past.
package struct ComplicationTimeline: Equatable, Sendable {
    /// The entries, in ascending order of their dates. One that is followed at its end has no expiry.
    package private(set) var entries: [ComplicationEntry]

    /// The most bytes of its message, name included: what a watch's frame of 512 bytes has room for.
    static let mostBytes = 500
    /// How long after an extension the next one may be, in seconds.
    package static let extensionPause: UInt32 = 600

    /// A time line of the first of these entries that fit. Each of them expires by itself, whatever follows.
    package init(_ entries: [ComplicationEntry] = []) {
        self.entries = ComplicationTimeline.fitting(entries)
    }

    /// The time line in the payload of a message.
    ///
    /// - Throws: what is wrong with it.
    package init(payload: [UInt8]) throws(CBORError) {
        var reader = try ComplicationMessageReader(CBORReader(payload.span))
        entries = []
        while let entry = reader.next() { entries.append(entry) }
    }

    /// Replaces everything.
    package mutating func reload(_ entries: [ComplicationEntry]) {
        self.entries = ComplicationTimeline.fitting(entries)
    }

    /// Appends the entries that are later than the last one, as many as fit once those that are past at `now` are gone.
    package mutating func extend(_ later: [ComplicationEntry], at now: UInt32) {
        dropPast(at: now)
        let last = entries.last?.date
        entries = ComplicationTimeline.fitting(entries + later.filter { $0.date > last ?? 0 || last == nil })
    }

    /// Removes the entries that are not shown at `now` or later.
    private mutating func dropPast(at now: UInt32) {
        let current = entries.lastIndex { $0.date <= now } ?? 0
        entries = Array(entries[current...].drop { $0.date <= now && !$0.isCurrent(at: now) })
    }

    /// The first entries that fit, without expiries that the next entry makes superfluous.
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
                // It is not followed after all.
                if let last = fitting.indices.last { fitting[last].expires = entries[last].expires }
                break
            }
            fitting.append(entry)
        }
        return fitting
    }
}

extension ComplicationTimeline {
    /// How a time line becomes what a plan says.
    package enum Update: Equatable, Sendable {
        /// It is that already, or as much of it as fits.
        case unchanged
        /// It was full, and more of the plan fits now that entries are past.
        case extend(ComplicationTimeline)
        /// The plan is another, or says more though there was room for it.
        case reload(ComplicationTimeline)
    }

    /// How the time line follows a plan from `now` on.
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

    /// Whether it was full, so that an entry which follows was known when it was published, and is no news.
    private func hasNoRoom(for next: ComplicationEntry) -> Bool {
        ComplicationTimeline(entries + [next]).entries.count <= entries.count
    }

    /// Whether it is how a plan's entries begin. Since when the first of them is current does not matter.
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

    /// When the time line should be looked at again, so that it follows a plan which has more than fits: when an entry
    /// becomes past, in local seconds since 1970; nil where it has all of the plan.
    package func nextLook(at plan: ComplicationPlan, now: UInt32) -> UInt32? {
        var present = self
        present.dropPast(at: now)
        guard plan.steps.count > present.entries.count else { return nil }
        return present.entries.first { $0.date > now }?.date ?? now
    }
}
