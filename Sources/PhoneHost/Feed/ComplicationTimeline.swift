import WatchLink

/// The complication entries that a watch has, or gets next. As in ClockKit, the phone can reload the time line, or extend it
/// as time passes.
///
/// A watch accepts 16 entries in a message of 500 bytes. When entries have passed, the phone adds further ones.
package struct ComplicationTimeline: Equatable, Sendable {
    /// The entries in ascending order of date. An entry keeps its expiry only if the next entry begins after the expiry.
    package private(set) var entries: [ComplicationEntry]

    /// The most bytes of the message, including its name. A message of this size fits into a watch's frame of 512 bytes.
    static let mostBytes = 500
    /// The shortest time between two extensions, in seconds.
    package static let extensionPause: UInt32 = 600

    /// Keeps the first entries that fit.
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

    /// Removes the entries that have passed at `now`, and appends as many later ones as fit.
    package mutating func extend(_ later: [ComplicationEntry], at now: UInt32) {
        dropPast(at: now)
        let last = entries.last?.date
        entries = ComplicationTimeline.fitting(entries + later.filter { $0.date > last ?? 0 || last == nil })
    }

    private mutating func dropPast(at now: UInt32) {
        let current = entries.lastIndex { $0.date <= now } ?? 0
        entries = Array(entries[current...].drop { $0.date <= now && !$0.isCurrent(at: now) })
    }

    /// The first entries that fit into a message. An entry keeps its expiry only if the next entry begins after the
    /// expiry.
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
                // The next entry does not fit after all, so this one needs its expiry.
                if let last = fitting.indices.last { fitting[last].expires = entries[last].expires }
                break
            }
            fitting.append(entry)
        }
        return fitting
    }
}

extension ComplicationTimeline {
    /// What the watch needs to show the entries of a `ComplicationPlan`.
    package enum Update: Equatable, Sendable {
        /// Nothing. The time line already shows the plan, or as much of it as fits.
        case unchanged
        /// More entries of the same plan, because some have passed and made room.
        case extend(ComplicationTimeline)
        /// The face needs other entries: the plan has changed, or there is room now for an entry that did not fit before.
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

    /// Whether the time line has no room for `next`, the plan's next entry. If so, the time line lacks `next` for want of room,
    /// and not because the plan has changed.
    private func hasNoRoom(for next: ComplicationEntry) -> Bool {
        ComplicationTimeline(entries + [next]).entries.count <= entries.count
    }

    /// Whether the plan begins with these entries. If the first one is already shown, its date may differ.
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

    /// When the phone should next update the time line, in local seconds since 1970: when the next entry begins. Nil if the
    /// time line has the whole plan.
    package func nextUpdate(at plan: ComplicationPlan, now: UInt32) -> UInt32? {
        var present = self
        present.dropPast(at: now)
        guard plan.steps.count > present.entries.count else { return nil }
        return present.entries.first { $0.date > now }?.date ?? now
    }
}
