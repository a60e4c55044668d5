import Foundation

/// A change to one item of a list.
public struct ListEdit: Equatable, Sendable {
    /// The item to change.
    public var item: ItemIdentifier
    /// The change.
    public var action: Action

    /// What to change, and when the owner or wearer did so.
    public enum Action: Equatable, Sendable {
        /// Check the item off.
        case check(at: Date)
        /// Open the item again.
        case uncheck(at: Date)
        /// Remove the item from the list permanently.
        case remove(at: Date)
        /// Change the title.
        case rename(to: CleanTitle, at: Date)
        /// Change the amount and note.
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

package enum EditOutcome: Equatable, Sendable {
    /// The item was changed.
    case changed
    /// The item already had the value that the edit sets.
    case unchanged
    case unknownItem
}
