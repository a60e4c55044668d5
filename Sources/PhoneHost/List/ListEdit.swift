import Foundation

/// A change to one item of a list.
public struct ListEdit: Equatable, Sendable {
    /// The item to change.
    public var item: ItemIdentifier
    /// The change.
    public var action: Action

    /// A change to an item.
    public enum Action: Equatable, Sendable {
        /// Check it off, at this time.
        case check(at: Date)
        /// Open it again, at this time.
        case uncheck(at: Date)
        /// Take it off the list for good, at this time.
        case remove(at: Date)
        /// Give it this title, at this time.
        case rename(to: CleanTitle, at: Date)
        /// Give it this amount and note, at this time.
        case describe(ItemDetail, at: Date)

        var time: Date {
            switch self {
            case .check(let time), .uncheck(let time), .remove(let time), .rename(_, let time), .describe(_, let time):
                time
            }
        }
    }

    package init(item: ItemIdentifier, action: Action) {
        self.item = item
        self.action = action
    }
}

/// The result of an edit.
package enum EditOutcome: Equatable, Sendable {
    /// The item is now as asked.
    case changed
    /// The item was as asked already.
    case unchanged
    /// There is no such item.
    case unknownItem
}
