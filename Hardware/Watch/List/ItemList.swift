import WatchLink

/// The list on the wrist: up to 129 rows in slots that never move, and the order of their rows.
///
/// A slot keeps its number for as long as its item is there, so a snapshot can walk the slots while rows come and go. It cannot
/// be copied: every question that a tap asks of it would first copy it to the stack.
public struct ItemList: ~Copyable {
    /// What became of an item that was put.
    public enum PutOutcome: Sendable {
        /// It has a new row at this position.
        case inserted(row: Int)
        /// The row, now at this position, has a new title or a new place.
        case replaced(row: Int)
        /// There is no room; the phone counts it among those beyond the watch.
        case full
    }

    /// What is in a slot. It holds the item's state as well: in the item itself it would take four bytes.
    private enum SlotUse: UInt8, BitwiseCopyable {
        case free
        case waiting
        case checkedOff

        var holdsItem: Bool {
            switch self {
            case .free: false
            case .waiting, .checkedOff: true
            }
        }
    }

    private let slots: FixedArray<ListItem>
    private let uses: FixedArray<SlotUse>
    private let order: FixedArray<UInt8>
    /// The number of rows, 0 to 129.
    public private(set) var count = 0
    /// The number of rows whose items have been checked off.
    private var checkedOffCount = 0
    private let inPlace = InPlace()

    /// Bytes that `init(arena:)` takes, apart from padding.
    static var memorySize: Int { WatchLimits.rows * (MemoryLayout<ListItem>.stride + 2) }

    /// An empty list, with its memory taken from `arena`.
    init(arena: inout MemoryArena) {
        slots = arena.take(WatchLimits.rows, of: ListItem(id: ItemID(0), rank: 0, title: ItemTitle()))
        uses = arena.take(WatchLimits.rows, of: .free)
        order = arena.take(WatchLimits.rows, of: 0)
    }

    /// Whether there are no rows.
    public var isEmpty: Bool { count == 0 }

    /// The item of the row at `row`, which is in `0 ..< count`.
    public subscript(row: Int) -> ListItem {
        // Its address, for whoever reads a part of it: the item is 60 bytes. As a call it would take the list by its address,
        // for which the list is copied to the stack.
        @inline(__always) unsafeAddress {
            precondition(row < count, "the list has no such row")
            return UnsafePointer(slots.address(of: Int(order[row])))
        }
    }

    /// The row of the item with this id, if it is on the list.
    public func row(of id: ItemID) -> Int? {
        for row in 0..<count where slots[Int(order[row])].id == id { return row }
        return nil
    }

    /// The row of an item that was at `row` when it was last seen.
    func row(of id: ItemID, near row: Int) -> Int? {
        // Nearly always the row is where it was drawn: no search, so that a tap costs the same on a long list.
        if row < count, slots[Int(order[row])].id == id { return row }
        return self.row(of: id)
    }

    /// The item in a slot, 0 to 128, or nil where the slot is free.
    func item(inSlot slot: Int) -> ListItem? {
        uses[slot].holdsItem ? slots[slot] : nil
    }

    /// The number of rows whose items wait.
    var waitingCount: Int { count - checkedOffCount }

    /// The state of the item in the row at `row`.
    func state(ofRow row: Int) -> ItemState {
        precondition(row < count, "the list has no such row")
        switch uses[Int(order[row])] {
        case .waiting: return .waiting
        case .checkedOff: return .checkedOff
        case .free: preconditionFailure("a row stands for an item")
        }
    }

    /// The title of the first row whose item waits.
    var firstWaitingTitle: ItemTitle? {
        for row in 0..<count {
            switch state(ofRow: row) {
            case .waiting: return self[row].title
            case .checkedOff: continue
            }
        }
        return nil
    }

    /// Notes that the item in the row at `row` is checked off. What the row shows stays as it is.
    mutating func checkOff(row: Int) {
        precondition(row < count, "the list has no such row")
        let slot = Int(order[row])
        switch uses[slot] {
        case .waiting:
            uses[slot] = .checkedOff
            checkedOffCount += 1
        case .checkedOff, .free:
            break
        }
    }

    /// Has the row at `row` show its title struck through, from when it is next drawn. Returns the title's width in pixels.
    func strike(row: Int) -> Int {
        precondition(row < count, "the list has no such row")
        let slot = slots.address(of: Int(order[row]))
        slot.pointee.shown = .struck
        return Int(slot.pointee.titleWidth)
    }

    /// Inserts an item at the place that its rank gives it, or replaces the one with the same id, whose state stays.
    @discardableResult
    public mutating func put(_ item: ListItem) -> PutOutcome {
        if let row = row(of: item.id) {
            let slot = Int(order[row])
            let hasPlace = slots[slot].rank == item.rank
            slots[slot].title = item.title
            slots[slot].rank = item.rank
            if hasPlace { return .replaced(row: row) }
            closeGap(at: row)
            return .replaced(row: insert(slot: slot))
        }
        guard let slot = freeSlot() else { return .full }
        slots[slot] = item
        uses[slot] = .waiting
        return .inserted(row: insert(slot: slot))
    }

    /// Takes the row at `row` away; the rows below move up.
    public mutating func remove(row: Int) {
        precondition(row < count, "the list has no such row")
        let slot = Int(order[row])
        switch uses[slot] {
        case .checkedOff: checkedOffCount -= 1
        case .waiting, .free: break
        }
        uses[slot] = .free
        closeGap(at: row)
    }

    /// Takes every row away.
    public mutating func removeAll() {
        uses.fill(uses.indices, with: .free)
        count = 0
        checkedOffCount = 0
    }

    private func freeSlot() -> Int? {
        for slot in uses.indices where !uses[slot].holdsItem { return slot }
        return nil
    }

    private mutating func closeGap(at row: Int) {
        order.move(from: row + 1, to: row, count: count - row - 1)
        count -= 1
    }

    private mutating func insert(slot: Int) -> Int {
        let rank = slots[slot].rank
        let id = slots[slot].id
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if slots[Int(order[middle])].isAbove(rank: rank, id: id) { low = middle + 1 } else { high = middle }
        }
        order.move(from: low, to: low + 1, count: count - low)
        order[low] = UInt8(truncatingIfNeeded: slot)
        count += 1
        return low
    }
}

extension ItemList: ListRows {
    /// The number of rows.
    public var rowCount: Int { count }

    /// What the row at `index` shows.
    public func row(at index: Int) -> ListRow {
        let item = self[index]
        return ListRow(title: item.title, state: item.shown)
    }
}
