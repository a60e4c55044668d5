/// A change of the watch's list.
public enum ListChange: Equatable, Sendable, BitwiseCopyable {
    /// Removes all items.
    case clear
    /// Inserts an item, or replaces the one with the same number. Rows are ordered by rank, then by number.
    case put(id: UInt32, rank: UInt32, title: ItemTitle)
    /// Removes the item with this number, if it is in the list.
    case remove(id: UInt32)

    /// The size in bytes that `encode(into:)` writes, 2 to 65.
    public var encodedSize: Int {
        switch self {
        case .clear: 2
        case .put(let id, let rank, let title):
            3 &+ CBORWriter.headSize(id) &+ CBORWriter.headSize(rank)
                &+ CBORWriter.headSize(UInt32(truncatingIfNeeded: title.count)) &+ title.count
        case .remove(let id): 2 &+ CBORWriter.headSize(id)
        }
    }

    /// Writes the change: `[0]` clear, `[1, id, rank, title, cut]` put, `[2, id]` remove.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        switch self {
        case .clear:
            try writer.array(count: 1)
            try writer.unsigned(0 as UInt32)
        case .put(let id, let rank, let title):
            try writer.array(count: 5)
            try writer.unsigned(1 as UInt32)
            try writer.unsigned(id)
            try writer.unsigned(rank)
            try writer.text(title.utf8)
            try writer.unsigned(UInt32(title.completeness.rawValue))
        case .remove(let id):
            try writer.array(count: 2)
            try writer.field(2, id)
        }
    }

    /// Reads a change. Elements after the known ones are skipped.
    ///
    /// - Throws: `.malformed` for an unknown change, because the list would be wrong without it.
    public init(from reader: inout CBORReader) throws(CBORError) {
        let count = try reader.array()
        guard count >= 1 else { throw .malformed }
        var used = 1
        switch try reader.word() {
        case 0: self = .clear
        case 1:
            guard count >= 5 else { throw .malformed }
            let (id, rank) = (try reader.word(), try reader.word())
            let text = try reader.text()
            guard let completeness = ItemTitle.Completeness(rawValue: try reader.byte()) else { throw .malformed }
            self = .put(id: id, rank: rank, title: ItemTitle(utf8: text, completeness: completeness))
            used = 5
        case 2:
            guard count >= 2 else { throw .malformed }
            self = .remove(id: try reader.word())
            used = 2
        default: throw .malformed
        }
        for _ in used..<count { try reader.skip() }
    }
}
