import WatchLink

/// The phone's number of an item: random, 1 to 2^32 - 1, the same on every watch.
public struct ItemID: Equatable, Sendable, BitwiseCopyable {
    /// The number on the wire.
    public var rawValue: UInt32

    /// The item with this number.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

package struct ListItem: Sendable, BitwiseCopyable {
    package var id: ItemID
    /// Rows are ordered by rank, then by id.
    var rank: UInt32
    package var title: ItemTitle {
        didSet { titleWidth = ListItem.width(of: title) }
    }
    /// The width of the title in its row, in pixels, measured when the item arrives so that a tap does not wait for it.
    private(set) var titleWidth: UInt8
    package var shown: RowState

    init(id: ItemID, rank: UInt32, title: ItemTitle) {
        self.id = id
        self.rank = rank
        self.title = title
        titleWidth = ListItem.width(of: title)
        shown = .waiting
    }

    /// The item's part in the rows check of PROTOCOL.md.
    var check: UInt32 {
        var check = CRC32()
        check.update(bigEndian: id.rawValue)
        check.update(bigEndian: rank)
        check.update(title.completeness.rawValue)
        check.update(title.utf8)
        return check.scattered
    }

    private static func width(of title: ItemTitle) -> UInt8 {
        UInt8(truncatingIfNeeded: RowRegion.titleWidth(title))
    }

    /// Whether this item's row is above that of an item with this rank and id.
    func isAbove(rank otherRank: UInt32, id otherID: ItemID) -> Bool {
        rank != otherRank ? rank < otherRank : id.rawValue < otherID.rawValue
    }
}

extension CRC32 {
    /// Adds the four bytes of `word`, highest first.
    mutating func update(bigEndian word: UInt32) {
        update(word: word.byteSwapped)
    }
}

enum ItemState: BitwiseCopyable {
    /// It counts as a remaining item.
    case waiting
    /// The wearer has tapped it: it no longer counts, and its row will be removed.
    case checkedOff
}
