import WatchLink

/// The rows on the panel while a held one keeps them where they are: enough to tell whether a message of the phone's has
/// changed one of them. Most bring the next item, far below, and then the held row goes as if nothing had come.
enum HeldRows: BitwiseCopyable {
    /// No row is held: nothing keeps the rows where they are.
    case none
    /// The rows, as a number that differs where they do.
    case rows(UInt32)

    /// Whether the same rows are held now.
    func areOnPanel(still now: HeldRows) -> Bool {
        switch (self, now) {
        case (.rows(let before), .rows(let after)): before == after
        case (.none, _), (_, .none): false
        }
    }
}

extension HeldRows {
    /// The rows on the panel while the list is scrolled so far.
    @inline(never)
    init(_ state: ListState, of data: borrowing WatchData) {
        var sum = RowSum()
        let end = min(state.firstVisibleRow + RowGeometry.rowsVisible, data.items.count)
        var row = state.firstVisibleRow
        while row < end {
            sum.add(data.items[row])
            row += 1
        }
        // Where the end of the list is on the panel, so is what stands under it.
        if data.items.count <= state.firstVisibleRow + RowGeometry.rowsVisible {
            sum.add(UInt32(truncatingIfNeeded: data.items.count))
            sum.add(data.more)
        }
        self = .rows(sum.value)
    }
}

/// The 32-bit FNV-1a hash of rows (Fowler, Noll and Vo; offset basis and prime as in RFC 9923).
private struct RowSum {
    private(set) var value: UInt32 = 0x811C_9DC5

    mutating func add(_ item: ListItem) {
        add(item.id.rawValue)
        add(UInt32(item.shown.rawValue))
        let title = item.title.utf8
        for index in title.indices { add(title[index]) }
        add(UInt32(truncatingIfNeeded: title.count))
    }

    mutating func add(_ number: UInt32) {
        add(UInt8(truncatingIfNeeded: number))
        add(UInt8(truncatingIfNeeded: number >> 8))
        add(UInt8(truncatingIfNeeded: number >> 16))
        add(UInt8(truncatingIfNeeded: number >> 24))
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt32(byte)) &* 0x0100_0193
    }
}
