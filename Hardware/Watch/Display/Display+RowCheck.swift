import WatchLink

extension Display {
    /// A check of the rows on the panel, nil unless the list is up: the same rows have the same check.
    ///
    /// It tells whether a message has changed any of them. Most messages bring the next item, far below, or confirm what the
    /// watch has done itself: then a held row goes as if nothing had arrived, and no row is drawn again.
    @inline(never)
    func checkOfRows(_ data: borrowing WatchData) -> UInt32? {
        guard case .list(let state) = screen else { return nil }
        var check = CRC32()
        let end = state.firstVisibleRow + RowGeometry.rowsVisible
        var row = state.firstVisibleRow
        while row < min(end, data.items.count) {
            check.update(word: data.items[row].id.rawValue)
            check.update(data.items[row].shown.rawValue)
            check.update(data.items[row].title.utf8)
            check.update(UInt8(truncatingIfNeeded: data.items[row].title.count))
            row += 1
        }
        // With the end of the list on the panel, the check includes what is below it.
        if data.items.count <= end {
            check.update(word: UInt32(truncatingIfNeeded: data.items.count))
            check.update(word: data.more)
        }
        return check.checksum
    }
}
