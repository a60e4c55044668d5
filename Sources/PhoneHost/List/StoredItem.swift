import Foundation

/// An item's ID, the same on the phone and on all watches.
public struct ItemIdentifier: RawRepresentable, Hashable, Sendable {
    /// From 1 to 2^32 - 1.
    public let rawValue: UInt32

    /// Makes the identifier with this number. Zero is not valid.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Returns a random ID of at least 2^20. An item's number on its list is below 2^20, so commands can tell IDs from numbers.
    static func random(from dependencies: PhoneDependencies) -> ItemIdentifier {
        var generator = dependencies.generator
        return ItemIdentifier(rawValue: UInt32.random(in: (1 << 20)...UInt32.max, using: &generator))
    }
}

/// The state of an item: open or checked off.
public enum ItemState: Equatable, Sendable {
    /// The item is open.
    case open
    /// The item was checked off at this time.
    case checked(at: Date)

    /// Whether the item is open.
    public var isOpen: Bool { self == .open }

    package var checkedAt: Date? {
        switch self {
        case .open: nil
        case .checked(let time): time
        }
    }
}

/// An item of a list in the phone's database.
public struct StoredItem: Equatable, Sendable, Identifiable {
    /// The item's ID.
    public let id: ItemIdentifier
    /// The position in the list, from 0 to 2^32 - 1. A list is in order of rank, then of ID.
    public var rank: UInt32
    /// The owner's text, of any length, without control characters.
    public var title: String
    /// The state of the item: open or checked off.
    public var state: ItemState
    /// When the item was added to the list.
    public var addedAt: Date
    /// The amount and note.
    public var detail = ItemDetail.none

    /// The item on one line, with its amount and note.
    public var text: String { detail.text(behind: title) }
}

/// An item to add to a list.
public struct ItemDraft: Equatable, Sendable {
    /// The title.
    public var title: CleanTitle
    /// The state in which the item starts: open or checked off.
    public var kind: Kind
    /// The amount and note.
    public var detail: ItemDetail
    /// The ID that the phone has reserved for this item; nil if the phone is to choose a new random ID.
    package var reserved: ItemIdentifier?

    /// The state in which a new item starts.
    public enum Kind: Equatable, Sendable {
        /// The item is still to buy.
        case open
        /// The item is already checked off.
        case checked
    }

    /// Makes an item to add. By default, it is open, and has no amount and no note.
    public init(title: CleanTitle, kind: Kind = .open, detail: ItemDetail = .none) {
        self.title = title
        self.kind = kind
        self.detail = detail
    }
    package init(title: CleanTitle, reserved: ItemIdentifier) {
        self.init(title: title)
        self.reserved = reserved
    }
}
