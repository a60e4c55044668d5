import Foundation

/// Identifies an item on the phone and on every watch for as long as it exists.
public struct ItemIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number, 1 to 2^32 - 1.
    public let rawValue: UInt32

    /// The identifier with this number; zero is no identifier and is refused by the store.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// A number drawn at random from those that are never mistaken for a line number: 2^20 to 2^32 - 1.
    public static func random(from surroundings: PhoneDependencies) -> ItemIdentifier {
        var generator = surroundings.generator
        return ItemIdentifier(rawValue: UInt32.random(in: (1 << 20)...UInt32.max, using: &generator))
    }
}

/// Whether an item is open or checked off.
public enum ItemState: Equatable, Sendable {
    /// It is open.
    case open
    /// It has been checked off, at this time.
    case checked(at: Date)

    /// Whether the item is open.
    public var isOpen: Bool {
        switch self {
        case .open: true
        case .checked: false
        }
    }

    /// When the item was checked off, nil where it was not.
    public var checkedAt: Date? {
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
    /// What the owner called it, of any length, free of control characters.
    public var title: String
    /// Whether it is open or checked off.
    public var state: ItemState
    /// When it was put on the list.
    public var addedAt: Date
}

/// An item that is not on a list yet.
public struct ItemDraft: Equatable, Sendable {
    /// The title of the item.
    public var title: CleanTitle
    /// Whether the item starts checked off.
    public var kind: Kind

    /// Whether an item is new or was already dealt with where it came from.
    public enum Kind: Equatable, Sendable {
        /// It is open.
        case open
        /// It was checked off before it came here.
        case checked
    }

    /// A draft with a title that has been cleaned.
    public init(title: CleanTitle, kind: Kind = .open) {
        self.title = title
        self.kind = kind
    }
}
