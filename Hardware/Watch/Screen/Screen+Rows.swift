extension Screen {
    /// Whether a touch on it may be on a row.
    var hasRows: Bool {
        switch self {
        case .list, .sheet(.past, _): true
        case .face, .sheet: false
        }
    }

    /// The rows on it and the first of them, nil where it has none. Past items may have become fewer than when it was turned there.
    func rows(of items: borrowing ItemList) -> (ItemRows, first: Int)? {
        switch self {
        case .list(let state): return (items.rows(.list), state.firstVisibleRow)
        case .sheet(.past(let first), _):
            let rows = items.rows(.past)
            return (rows, min(Int(first), max(0, rows.rowCount - RowGeometry.rowsVisible)))
        case .face, .sheet: return nil
        }
    }
}
