import DeviceModel
import WatchLink

/// When the rows that keys tap came to be others.
///
/// Whoever presses the key of a row means the one that was there when the finger set out. Where another has come to its place since,
/// nobody can have meant that.
struct RowChanges {
    /// How long before a key its row has to be there: 300 ms. A simple reaction to something seen takes about 230 ms (Woods and others,
    /// "Factors influencing the latency of simple reaction time", 2015), and a key and a terminal's picture take their time too.
    static let reaction = Microseconds(300_000)

    /// The items at the positions of the panel, nil where there is none.
    private var items: [UInt32?] = []
    /// When another item took the place of one, by position.
    private var changes: [Int: Instant] = [:]

    /// Notes what the panel shows from `time` on. A row that comes up with the list has taken the place of none.
    mutating func note(_ shown: [UInt32?], at time: Instant) {
        for (position, (before, now)) in zip(items, shown).enumerated() {
            if let before, let now, before != now { changes[position] = time }
        }
        items = shown
    }

    /// Whether another row has come to a position so lately that a key at `time` may mean the one before.
    func hasMoved(at position: Int, before time: Instant) -> Bool {
        changes[position].map { time < $0 + RowChanges.reaction } ?? false
    }
}
