/// How the rows of a list differ from those that are on the panel.
public enum RowEdit: Equatable, Sendable, BitwiseCopyable {
    /// Not at all: at most other rows are visible.
    case scrolled
    /// The row that was at this index is gone, and those after it moved up.
    case removed(at: Int)
    /// A row was put in at this index, and those that were there or after it moved down.
    case inserted(at: Int)

    /// The index that the row at `index` had before the edit, or nil where it is new.
    func indexBefore(_ index: Int) -> Int? {
        switch self {
        case .scrolled: index
        case .removed(let place): index < place ? index : index + 1
        case .inserted(let place): index < place ? index : index == place ? nil : index - 1
        }
    }

    /// How many rows there were before the edit, of which there are now `count`.
    func countBefore(_ count: Int) -> Int {
        switch self {
        case .scrolled: count
        case .removed: count + 1
        case .inserted: count - 1
        }
    }
}
