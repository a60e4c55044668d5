import Foundation

package struct ListEdit: Equatable, Sendable {
    package var item: ItemIdentifier
    package var action: Action

    /// A change of an item. Each case's time is when the owner or wearer made the change.
    package enum Action: Equatable, Sendable {
        case check(at: Date)
        case uncheck(at: Date)
        case remove(at: Date)
        case rename(to: CleanTitle, at: Date)
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
    case changed
    case unchanged
    case unknownItem
}
