import WatchLink

/// Items in the order of their rows: those of the list, or past ones. It is valid until the list changes.
struct ItemRows: BitwiseCopyable {
    private let slots: FixedArray<ListItem>
    private let order: FixedArray<UInt8>
    let rowCount: Int

    /// - Parameter order: the slots of the rows.
    init(slots: FixedArray<ListItem>, order: FixedArray<UInt8>, rowCount: Int) {
        self.slots = slots
        self.order = order
        self.rowCount = rowCount
    }

    /// The item in a row. Traps where there is no such row.
    subscript(row: Int) -> ListItem {
        // The address, so that a caller that reads a part does not copy 60 bytes.
        @inline(__always) unsafeAddress {
            precondition(row < rowCount, "there is no such row")
            return UnsafePointer(slots.address(of: Int(order[row])))
        }
    }
}

extension ItemRows: ListRows {
    func row(at index: Int) -> ListRow {
        let item = self[index]
        return ListRow(title: item.title, state: item.shown)
    }
}
