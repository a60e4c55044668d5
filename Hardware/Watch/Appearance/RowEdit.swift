/// The difference between the rows of a list and those on the panel.
enum RowEdit: Equatable, Sendable, BitwiseCopyable {
    /// None, but other rows may be visible.
    case scrolled
    /// The row at this index was removed; later rows moved up.
    case removed(at: Int)
    /// A row was inserted at this index; later rows moved down.
    case inserted(at: Int)

    /// The index that the row at `index` had before the edit, or nil where it is new.
    func indexBefore(_ index: Int) -> Int? {
        switch self {
        case .scrolled: index
        case .removed(let place): index < place ? index : index + 1
        case .inserted(let place): index < place ? index : index == place ? nil : index - 1
        }
    }

    /// The number of rows before the edit, where there are `count` now.
    func countBefore(_ count: Int) -> Int {
        switch self {
        case .scrolled: count
        case .removed: count + 1
        case .inserted: count - 1
        }
    }
}
