import WatchLink

/// The list on the watch: 129 slots for items, and the order of the rows. Slots that no row uses can hold up to 18 past items.
/// The wearer can add a past item to the list again.
///
/// An item stays in its slot, so that a snapshot can read slot after slot while rows come and go. The list is not copyable,
/// because each access during a tap would copy it to the stack.
struct ItemList: ~Copyable {
    /// How a slot is used. `ListItem` has no field for this, because the field would make each item four bytes longer.
    private enum SlotUse: UInt8, BitwiseCopyable {
        case free
        case waiting
        case checkedOff
        case past

        var isFree: Bool {
            switch self {
            case .free: true
            case .waiting, .checkedOff, .past: false
            }
        }
    }

    private let slots: FixedArray<ListItem>
    private let uses: FixedArray<SlotUse>
    private let order: FixedArray<UInt8>
    /// The slots of the past items. The first item is the item that the wearer will most likely add.
    private let past: FixedArray<UInt8>
    private var pastCount = 0
    /// The checksums of the rows, by slot. With them, a removal updates `check` without reading the row's title.
    private let checks: FixedArray<UInt32>
    /// The exclusive or of the checksums of all rows.
    private(set) var check: UInt32 = 0
    private(set) var count = 0
    private var checkedOffCount = 0
    /// The index of the first row in view. The caller sets the index before a change of the list, and reads the index after the
    /// change. The new index keeps the same rows in view. A negative index counts as 0.
    var firstInView = 0
    private let inPlace = InPlace()

    static var memorySize: Int {
        WatchLimits.rows * (MemoryLayout<ListItem>.stride + 6) + AddMessage.mostPastItems
    }

    init(arena: inout MemoryArena) {
        slots = arena.take(WatchLimits.rows, of: ListItem(id: ItemID(0), rank: 0, title: ItemTitle()))
        uses = arena.take(WatchLimits.rows, of: .free)
        order = arena.take(WatchLimits.rows, of: 0)
        past = arena.take(AddMessage.mostPastItems, of: 0)
        checks = arena.take(WatchLimits.rows, of: 0)
    }

    var isEmpty: Bool { count == 0 }

    subscript(row: Int) -> ListItem {
        // Returns the address, so that a caller that reads one field does not copy 60 bytes. Inlined, because a call would copy
        // the list to the stack.
        @inline(__always) unsafeAddress {
            precondition(row < count, "the list has no such row")
            return UnsafePointer(slots.address(of: Int(order[row])))
        }
    }

    func row(of id: ItemID) -> Int? {
        for row in 0..<count where slots[Int(order[row])].id == id { return row }
        return nil
    }

    /// The item's row; nil if the item is not on the list. Tries `row` first.
    func row(of id: ItemID, near row: Int) -> Int? {
        // The item is nearly always still there. Without a search, a tap costs the same on a long list.
        if row < count, slots[Int(order[row])].id == id { return row }
        return self.row(of: id)
    }

    func waitingItem(inSlot slot: Int) -> ListItem? {
        switch uses[slot] {
        case .waiting: slots[slot]
        case .free, .checkedOff, .past: nil
        }
    }

    var waitingCount: Int { count - checkedOffCount }

    func isWaiting(row: Int) -> Bool {
        precondition(row < count, "the list has no such row")
        switch uses[Int(order[row])] {
        case .waiting: return true
        case .checkedOff: return false
        case .free, .past: preconditionFailure("every row has an item")
        }
    }

    var firstWaitingTitle: ItemTitle? {
        for row in 0..<count where isWaiting(row: row) { return self[row].title }
        return nil
    }

    func isOpen(row: Int) -> Bool { isWaiting(row: row) && self[row].shown == .waiting }

    /// Marks the row as checked off. The row looks unchanged until `strike`.
    mutating func checkOff(row: Int) {
        precondition(row < count, "the list has no such row")
        let slot = Int(order[row])
        if case .waiting = uses[slot] {
            uses[slot] = .checkedOff
            checkedOffCount += 1
        }
    }

    mutating func putBack(row: Int) {
        precondition(row < count, "the list has no such row")
        let slot = Int(order[row])
        if case .checkedOff = uses[slot] {
            uses[slot] = .waiting
            checkedOffCount -= 1
        }
        slots.address(of: slot).pointee.shown = .waiting
    }

    /// Marks the row as struck through. Returns the title's width in pixels.
    func strike(row: Int) -> Int {
        precondition(row < count, "the list has no such row")
        let slot = slots.address(of: Int(order[row]))
        slot.pointee.shown = .struck
        return Int(slot.pointee.titleWidth)
    }

    /// Inserts an item at the place that its rank gives it, or replaces the title and rank of the item with the same ID.
    /// Returns false if there is no room for a new item.
    @discardableResult
    mutating func put(_ item: ListItem) -> Bool {
        if let row = row(of: item.id) {
            let slot = Int(order[row])
            let hasPlace = slots[slot].rank == item.rank
            slots[slot].title = item.title
            slots[slot].rank = item.rank
            noteCheck(of: slot, replacing: checks[slot])
            if hasPlace { return true }
            // If the first row in view moves elsewhere, the other rows stay in view.
            let kept = row == firstInView ? 1 : 0
            firstInView += kept
            closeGap(at: row)
            insert(slot: slot)
            firstInView -= kept
            return true
        }
        dropPast(item.id)
        guard let slot = freeSlot() else { return false }
        slots[slot] = item
        take(slot)
        return true
    }

    @inline(never)
    private mutating func take(_ slot: Int) {
        uses[slot] = .waiting
        noteCheck(of: slot, replacing: 0)
        insert(slot: slot)
    }

    mutating func remove(row: Int) {
        precondition(row < count, "the list has no such row")
        let slot = Int(order[row])
        if case .checkedOff = uses[slot] { checkedOffCount -= 1 }
        uses[slot] = .free
        check ^= checks[slot]
        closeGap(at: row)
    }

    mutating func removeAll() {
        for row in 0..<count { uses[Int(order[row])] = .free }
        count = 0
        checkedOffCount = 0
        check = 0
        firstInView = -1
    }

    private mutating func noteCheck(of slot: Int, replacing before: UInt32) {
        let new = slots.address(of: slot).pointee.check
        checks[slot] = new
        check ^= before ^ new
    }

    /// Returns a free slot. If there is none, drops the last past item, and returns the slot of that item. Nil if there is no
    /// past item either.
    private mutating func freeSlot() -> Int? {
        for slot in uses.indices where uses[slot].isFree { return slot }
        guard pastCount > 0 else { return nil }
        pastCount -= 1
        return Int(past[pastCount])
    }

    private mutating func closeGap(at row: Int) {
        order.move(from: row + 1, to: row, count: count - row - 1)
        count -= 1
        if row < firstInView { firstInView -= 1 }
    }

    private mutating func insert(slot: Int) {
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
        if low <= firstInView { firstInView += 1 }
    }
}

// MARK: Past items

extension ItemList {
    enum Rows: BitwiseCopyable {
        case list
        case past
    }

    func isPast(_ id: ItemID) -> Bool { pastIndex(of: id) != nil }

    func rows(_ which: Rows) -> ItemRows {
        switch which {
        case .list: ItemRows(slots: slots, order: order, rowCount: count)
        case .past: ItemRows(slots: slots, order: past, rowCount: pastCount)
        }
    }

    @inline(never)
    mutating func take(_ item: ListItem, into rows: Rows) {
        switch rows {
        case .list: put(item)
        case .past: appendPast(item)
        }
    }

    /// Adds an item at the end of the past items. Ignores the item if it is already a past item or on the list, or if there
    /// is no room.
    mutating func appendPast(_ item: ListItem) {
        guard pastCount < past.count, count + pastCount < slots.count, row(of: item.id) == nil, !isPast(item.id),
            let slot = freeSlot()
        else { return }
        slots[slot] = item
        uses[slot] = .past
        past[pastCount] = UInt8(truncatingIfNeeded: slot)
        pastCount += 1
    }

    @inline(never)
    mutating func addPast(_ id: ItemID) -> Bool {
        guard let slot = dropPast(id) else { return false }
        take(slot)
        return true
    }

    mutating func removePast() {
        for index in 0..<pastCount { uses[Int(past[index])] = .free }
        pastCount = 0
    }

    private func pastIndex(of id: ItemID) -> Int? {
        for index in 0..<pastCount where slots[Int(past[index])].id == id { return index }
        return nil
    }

    /// Removes a past item. Returns its slot, which is then free. Nil if `id` is not a past item.
    @discardableResult
    @inline(never)
    private mutating func dropPast(_ id: ItemID) -> Int? {
        guard let index = pastIndex(of: id) else { return nil }
        let slot = Int(past[index])
        uses[slot] = .free
        past.move(from: index + 1, to: index, count: pastCount - index - 1)
        pastCount -= 1
        return slot
    }
}

/// The rows of the list, or of the past items. They are valid until the list changes.
struct ItemRows: BitwiseCopyable {
    private let slots: FixedArray<ListItem>
    private let order: FixedArray<UInt8>
    let rowCount: Int

    init(slots: FixedArray<ListItem>, order: FixedArray<UInt8>, rowCount: Int) {
        self.slots = slots
        self.order = order
        self.rowCount = rowCount
    }

    subscript(row: Int) -> ListItem {
        // Returns the address, so that a caller that reads one field does not copy 60 bytes.
        @inline(__always) unsafeAddress {
            precondition(row < rowCount, "there is no such row")
            return UnsafePointer(slots.address(of: Int(order[row])))
        }
    }
}

/// An item's ID: 1 to 2^32 - 1, chosen at random by the phone. An item has the same ID on every watch.
public struct ItemID: Equatable, Sendable, BitwiseCopyable {
    /// The number on the wire.
    public var rawValue: UInt32

    /// Makes the ID with this number.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

package struct ListItem: Sendable, BitwiseCopyable {
    package var id: ItemID
    /// Rows are in order of rank, and then of ID.
    var rank: UInt32
    package var title: ItemTitle {
        didSet { titleWidth = ListItem.width(of: title) }
    }
    /// In pixels. Measured when the item arrives, so that a tap does not wait for it.
    private(set) var titleWidth: UInt8
    package var shown: RowState

    init(id: ItemID, rank: UInt32, title: ItemTitle) {
        self.id = id
        self.rank = rank
        self.title = title
        titleWidth = ListItem.width(of: title)
        shown = .waiting
    }

    var check: UInt32 {
        var check = CRC32()
        check.update(bigEndian: id.rawValue)
        check.update(bigEndian: rank)
        check.update(title.completeness.rawValue)
        check.update(title.utf8)
        return check.scattered
    }

    private static func width(of title: ItemTitle) -> UInt8 {
        UInt8(truncatingIfNeeded: RowRegion.titleWidth(title))
    }

    func isAbove(rank otherRank: UInt32, id otherID: ItemID) -> Bool {
        rank != otherRank ? rank < otherRank : id.rawValue < otherID.rawValue
    }
}

extension CRC32 {
    mutating func update(bigEndian word: UInt32) {
        update(word: word.byteSwapped)
    }
}
