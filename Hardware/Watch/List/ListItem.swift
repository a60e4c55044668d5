import WatchLink

/// The phone's number for an item: random, never 0, the same on every watch.
public struct ItemID: Equatable, Sendable, BitwiseCopyable {
    /// The number, 1 to 2^32 - 1.
    public var rawValue: UInt32

    /// Item number `rawValue`.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// One item of the list.
public struct ListItem: Sendable, BitwiseCopyable {
    /// The phone's number for it.
    public var id: ItemID
    /// Its place in the list: rows are ordered by rank, then by id.
    public var rank: UInt32
    /// What the row says.
    public var title: ItemTitle {
        didSet { titleWidth = ListItem.width(of: title) }
    }
    /// The pixels that the title takes in its row, measured when the item comes and not when it is tapped.
    private(set) var titleWidth: UInt8
    /// What its row shows.
    public var shown: RowState

    /// An item that waits, with a row that shows so.
    public init(id: ItemID, rank: UInt32, title: ItemTitle) {
        self.id = id
        self.rank = rank
        self.title = title
        titleWidth = ListItem.width(of: title)
        shown = .waiting
    }

    private static func width(of title: ItemTitle) -> UInt8 {
        UInt8(truncatingIfNeeded: RowRegion.titleWidth(title))
    }

    /// Whether this item's row is above that of an item with the given rank and id.
    func isAbove(rank otherRank: UInt32, id otherID: ItemID) -> Bool {
        rank != otherRank ? rank < otherRank : id.rawValue < otherID.rawValue
    }
}
