import PhoneHost
import WatchLink

/// The list of a simulated phone: its items in order, and the times of the last changes.
struct PhoneItems {
    private struct Row {
        var item: PhoneItem
        var rank: UInt32
        var isOpen = true

        var fed: FeedRow { FeedRow(id: item.id, rank: rank, title: ItemTitle(cutting: item.title)) }
    }

    /// The distance between the ranks of consecutive new items. The real phone uses the same distance.
    private static let rankStep: UInt32 = 1_024

    private let name: String
    private var rows: [Row] = []
    /// All items that the phone has offered as past items, with the ranks that they get on the list.
    private var offers: [UInt32: (item: PhoneItem, rank: UInt32)] = [:]
    /// The IDs of the past items that the phone offers now, most likely first.
    private var offered: [UInt32] = []
    /// The time of the last change, in local seconds since 1970. 0 if the phone has no calendar.
    private var changed: UInt32 = 0
    /// The time of the last check-off, in local seconds since 1970. Nil if there was none, or if the phone has no calendar.
    private var lastTrip: UInt32?

    init(name: String, items: [PhoneItem]) {
        self.name = name
        for item in items {
            rows.append(Row(item: item, rank: UInt32(rows.count + 1) * Self.rankStep))
        }
    }

    /// The items that are not checked off, in the order of the list.
    var open: [PhoneItem] { rows.filter(\.isOpen).map(\.item) }

    /// The window: the first rows of the list, which the watch stores, and the number of all open items.
    var window: FeedWindow {
        let open = rows.filter(\.isOpen)
        return FeedWindow(rows: open.prefix(FeedWindow.capacity).map(\.fed), total: UInt32(open.count))
    }

    var beyond: [FeedRow] { rows.filter(\.isOpen).dropFirst(FeedWindow.capacity).map(\.fed) }

    /// The list's name, number of open items, next item and times, from which the feed makes its latest values.
    var latest: LatestFeed {
        let open = rows.filter(\.isOpen)
        return LatestFeed(
            listName: name, remaining: UInt32(open.count), next: open.first?.item.title, changed: changed,
            lastTrip: lastTrip)
    }

    mutating func add(_ item: PhoneItem, rank: UInt32?) {
        let rank = rank ?? (rows.last.map { $0.rank + Self.rankStep } ?? Self.rankStep)
        let place = rows.firstIndex { $0.rank > rank } ?? rows.endIndex
        rows.insert(Row(item: item, rank: rank), at: place)
    }

    var hasOffered: Bool { !offers.isEmpty }

    /// The past items that the watch offers its wearer to add again.
    var past: PastFeed { PastFeed(offered.compactMap(offered(_:))) }

    /// The row of a past item if it is added again. Nil if the phone never offered the item.
    func offered(_ id: UInt32) -> FeedRow? {
        offers[id].map { FeedRow(id: id, rank: $0.rank, title: ItemTitle(cutting: $0.item.title)) }
    }

    /// Offers these past items instead of the earlier ones, most likely first.
    mutating func offer(_ items: [PhoneItem]) {
        let last = rows.last?.rank ?? 0
        for (number, item) in items.enumerated() where offers[item.id] == nil {
            offers[item.id] = (item, last + UInt32(number + 1) * Self.rankStep)
        }
        offered = items.map(\.id)
    }

    /// Adds a past item to the list again. Does nothing if the list has it.
    mutating func addBack(_ id: UInt32, at time: UInt32?) -> ApplyOutcome {
        guard let offer = offers[id] else { return .rejected(.refused) }
        offered.removeAll { $0 == id }
        guard !rows.contains(where: { $0.item.id == id }) else { return .applied }
        add(offer.item, rank: offer.rank)
        touch(at: time)
        return .applied
    }

    mutating func rename(_ id: UInt32, to title: String) {
        guard let index = rows.firstIndex(where: { $0.item.id == id }) else { return }
        rows[index].item.title = title
    }

    mutating func remove(_ id: UInt32) {
        rows.removeAll { $0.item.id == id }
    }

    /// Checks an item off at `time`. Returns `.rejected(.refused)` if the list does not have the item.
    mutating func check(_ id: UInt32, at time: UInt32?) -> ApplyOutcome {
        guard let index = rows.firstIndex(where: { $0.item.id == id }) else { return .rejected(.refused) }
        guard rows[index].isOpen else { return .applied }
        rows[index].isOpen = false
        lastTrip = time
        touch(at: time)
        return .applied
    }

    /// Records a change of the list at `time`.
    mutating func touch(at time: UInt32?) {
        changed = time ?? 0
    }
}
