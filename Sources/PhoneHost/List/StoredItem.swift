import Foundation

/// Identifies an item on the phone and on every watch for as long as it exists.
public struct ItemIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number, 1 to 2^32 - 1.
    public let rawValue: UInt32

    /// The identifier with this number. Zero is no identifier: no item has it.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// A random number that is never mistaken for a line number: 2^20 to 2^32 - 1.
    static func random(from dependencies: PhoneDependencies) -> ItemIdentifier {
        var generator = dependencies.generator
        return ItemIdentifier(rawValue: UInt32.random(in: (1 << 20)...UInt32.max, using: &generator))
    }
}

/// Whether an item is open or checked off.
public enum ItemState: Equatable, Sendable {
    /// It is open.
    case open
    /// It has been checked off, at this time.
    case checked(at: Date)

    /// Whether it is open.
    public var isOpen: Bool { self == .open }

    /// When it was checked off; nil where it is open.
    package var checkedAt: Date? {
        switch self {
        case .open: nil
        case .checked(let time): time
        }
    }
}

/// An item of a list as the phone keeps it.
public struct StoredItem: Equatable, Sendable, Identifiable {
    /// Identifies the item.
    public let id: ItemIdentifier
    /// Its place: the list is in the order of rank, then of id. 0 to 2^32 - 1.
    public var rank: UInt32
    /// The owner's text, of any length, without control characters.
    public var title: String
    /// Whether it is open or checked off.
    public var state: ItemState
    /// When it was added to the list.
    public var addedAt: Date
    /// How much of it, and what else matters.
    public var detail = ItemDetail.none

    /// The item on one line, with its amount and note.
    public var text: String { detail.text(behind: title) }
}

/// An item to add to a list.
public struct ItemDraft: Equatable, Sendable {
    /// The title of the item.
    public var title: CleanTitle
    /// Whether the item starts checked off.
    public var kind: Kind
    /// How much of it, and what else matters.
    public var detail: ItemDetail
    /// The number that is reserved for the item; nil for any.
    var reserved: ItemIdentifier?

    /// Whether an item is new, or was checked off in the list that it comes from.
    public enum Kind: Equatable, Sendable {
        /// It is open.
        case open
        /// It is checked off already.
        case checked
    }

    /// A draft with a title that has been cleaned.
    public init(title: CleanTitle, kind: Kind = .open, detail: ItemDetail = .none) {
        self.title = title
        self.kind = kind
        self.detail = detail
    }
}
