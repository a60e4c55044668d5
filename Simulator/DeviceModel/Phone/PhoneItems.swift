import ListFeed
import WatchLink

/// The list of a simulated phone: its items in order, and the times of its last changes.
struct PhoneItems {
    private struct Row {
        var item: PhoneItem
        var rank: UInt32
        var isOpen = true

        var fed: FeedRow { FeedRow(id: item.id, rank: rank, title: ItemTitle(cutting: item.title)) }
    }

    /// The distance of the ranks of items that are added one after the other, as in the phone's real list.
    private static let rankStep: UInt32 = 1_024

    private let name: String
    private var rows: [Row] = []
    /// All items that were offered as past ones, with the ranks that they have on the list.
    private var offers: [UInt32: (item: PhoneItem, rank: UInt32)] = [:]
    /// The numbers of the items that are offered now, likeliest first.
    private var offered: [UInt32] = []
    /// When the list last changed, in local seconds since 1970; 0 for a phone without a calendar.
    private var changed: UInt32 = 0
    /// When an item was last checked off; nil for never, or without a calendar.
    private var lastTrip: UInt32?

    init(name: String, items: [PhoneItem]) {
        self.name = name
        for item in items {
            rows.append(Row(item: item, rank: UInt32(rows.count + 1) * Self.rankStep))
        }
    }

    /// The items that are not checked off, in order.
    var open: [PhoneItem] { rows.filter(\.isOpen).map(\.item) }

    /// The part of the list that a watch keeps.
    var window: FeedWindow {
        let open = rows.filter(\.isOpen)
        return FeedWindow(rows: open.prefix(FeedWindow.capacity).map(\.fed), total: UInt32(open.count))
    }

    var beyond: [FeedRow] { rows.filter(\.isOpen).dropFirst(FeedWindow.capacity).map(\.fed) }

    /// The source of the latest values.
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

    /// The items that the watch offers its wearer to add back.
    var past: PastFeed { PastFeed(offered.compactMap(offered(_:))) }

    /// The row of a past item that is put back; nil if the item was never offered.
    func offered(_ id: UInt32) -> FeedRow? {
        offers[id].map { FeedRow(id: id, rank: $0.rank, title: ItemTitle(cutting: $0.item.title)) }
    }

    /// Offers past items, likeliest first, instead of the earlier offers.
    mutating func offer(_ items: [PhoneItem]) {
        let last = rows.last?.rank ?? 0
        for (number, item) in items.enumerated() where offers[item.id] == nil {
            offers[item.id] = (item, last + UInt32(number + 1) * Self.rankStep)
        }
        offered = items.map(\.id)
    }

    /// Puts a past item back on the list. An item that is on the list already stays as it is.
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

    /// Checks an item off at `time` on the calendar. Returns `.rejected(.refused)` if the list does not have the item.
    mutating func check(_ id: UInt32, at time: UInt32?) -> ApplyOutcome {
        guard let index = rows.firstIndex(where: { $0.item.id == id }) else { return .rejected(.refused) }
        guard rows[index].isOpen else { return .applied }
        rows[index].isOpen = false
        lastTrip = time
        touch(at: time)
        return .applied
    }

    /// Records that the list was changed at `time` on the calendar.
    mutating func touch(at time: UInt32?) {
        changed = time ?? 0
    }
}
