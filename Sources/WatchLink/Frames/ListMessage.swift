/// The fields of a `list` message except its changes. In this queued message, the phone sends changes of its list.
///
/// The changes are written and read one at a time, without a buffer. To write a message, call `encodeHead`, then `encode` of
/// each of the `changeCount` changes, then `encodeTail`. A `ListMessageReader` reads a message.
package struct ListMessage: ApplicationPayload, Equatable, Sendable, BitwiseCopyable {
    package enum Rows: UInt32, Sendable, BitwiseCopyable {
        /// The changes concern the rows that the watch keeps.
        case given = 0
        /// The changes contain open items beyond the rows of the watch. The watch does not keep these items. The phone sends
        /// them only in answer to a `ReloadMessage` for `.everything`.
        case beyond = 1
    }

    /// The number of open items of the phone's list that are not among the rows of this watch.
    package var more: UInt32
    package var changeCount: UInt32
    /// If this message is the last of the answer to a `ReloadMessage`, the token of that message. Otherwise nil.
    package var reloadToken: UInt32?
    package var rows: Rows
    /// The sequence of the watch's last queued message that the phone had applied when it made this message; 0 if none. If
    /// the watch's check-off of an item is unacknowledged and has a higher sequence, the watch ignores a `put` of that item.
    package var applied: UInt32

    package init(
        more: UInt32, changeCount: UInt32, reloadToken: UInt32? = nil, rows: Rows = .given, applied: UInt32 = 0
    ) {
        self.more = more
        self.changeCount = changeCount
        self.reloadToken = reloadToken
        self.rows = rows
        self.applied = applied
    }

    package static var message: ApplicationMessage { .list }

    /// The maximum number of bytes that a message body needs besides its list changes. They include the message's name.
    package static var overhead: Int { 30 }

    @_lifetime(writer: copy writer)
    package func encodeHead(into writer: inout CBORWriter) throws(CBORError) {
        let optional = (reloadToken == nil ? 0 : 1) &+ (rows == .given ? 0 : 1) &+ (applied == 0 ? 0 : 1)
        try writer.map(count: 2 &+ optional)
        try writer.field(0, more)
        try writer.unsigned(1 as UInt32)
        try writer.array(count: Int(truncatingIfNeeded: changeCount))
    }

    @_lifetime(writer: copy writer)
    package func encodeTail(into writer: inout CBORWriter) throws(CBORError) {
        if let reloadToken { try writer.field(2, reloadToken) }
        if rows != .given { try writer.field(3, rows.rawValue) }
        if applied != 0 { try writer.field(4, applied) }
    }
}

/// A reader of one `list` or `past` message. `init` checks the whole message, so that the watch applies no change of an invalid
/// message. Then `next` returns one change at a time.
package struct ListMessageReader: ~Escapable {
    package let message: ListMessage
    private var changes: CBORReader
    private var remaining: UInt32

    /// Reads the fields and checks every change. `reader` is at the start of the payload.
    /// - Throws: the errors of `reader`; `.malformed` if `rows` or a change is unknown, or if the array of changes is missing.
    @_lifetime(copy reader)
    package init(_ reader: CBORReader) throws(CBORError) {
        var reader = reader
        var changes = reader
        var message = ListMessage(more: 0, changeCount: 0)
        var fields = try CBORFields(&reader)
        while let key = try fields.next(&reader) {
            switch key {
            case 0: message.more = try reader.word()
            case 1:
                let count = try reader.array()
                message.changeCount = UInt32(truncatingIfNeeded: count)
                changes = reader
                for _ in 0..<count { _ = try ListChange(from: &reader) }
            case 2: message.reloadToken = try reader.word()
            case 3:
                guard let rows = ListMessage.Rows(rawValue: try reader.word()) else { throw .malformed }
                message.rows = rows
            case 4: message.applied = try reader.word()
            default: try reader.skip()
            }
        }
        try fields.require(0b10)
        self.message = message
        self.changes = changes
        remaining = message.changeCount
    }

    @_lifetime(self: copy self)
    package mutating func next() -> ListChange? {
        guard remaining > 0 else { return nil }
        remaining &-= 1
        // `init` has read every change, so this cannot fail.
        return try? ListChange(from: &changes)
    }
}

package enum ListChange: Equatable, Sendable, BitwiseCopyable {
    case clear
    /// Inserts an item, or replaces the item with this `id`. The watch orders its rows by `rank`, then by `id`.
    case put(id: UInt32, rank: UInt32, title: ItemTitle)
    case remove(id: UInt32)

    /// The number of bytes that `encode(into:)` writes, 2 to 63.
    package var encodedSize: Int {
        switch self {
        case .clear: 2
        case .put(let id, let rank, let title):
            3 &+ CBORWriter.headSize(id) &+ CBORWriter.headSize(rank)
                &+ CBORWriter.headSize(UInt32(truncatingIfNeeded: title.count)) &+ title.count
        case .remove(let id): 2 &+ CBORWriter.headSize(id)
        }
    }

    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
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

    /// Reads a change, which is an array. Skips the array's elements after the known ones. Throws `.malformed` if the change is
    /// unknown, because the list would be wrong without that change.
    package init(from reader: inout CBORReader) throws(CBORError) {
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

/// The title of a list item as the watch stores it: at most 48 bytes of UTF-8. A longer title is cut between two Unicode
/// scalars. The watch shows an ellipsis at the end of a cut title.
public struct ItemTitle: Sendable, BitwiseCopyable {
    /// The maximum length of a title in bytes.
    public static var capacity: Int { 48 }

    /// How much of the title this value holds: all of it, or only its beginning because the title was cut.
    public enum Completeness: UInt8, Sendable, BitwiseCopyable {
        case whole = 0
        case cut = 1
    }

    private var storage: InlineArray<48, UInt8>
    private var length: UInt8
    /// How much of the title this value holds: all of it, or only its beginning because the title was cut.
    public private(set) var completeness: Completeness

    /// An empty title.
    public init() {
        storage = InlineArray(repeating: 0)
        length = 0
        completeness = .whole
    }

    /// Makes a title. If there are more than 48 bytes, cuts the title between two Unicode scalars, and marks it as cut. Does
    /// not check that the bytes are UTF-8. Pass `.cut` as `completeness` if the bytes are already a cut title.
    public init(utf8: Span<UInt8>, completeness: Completeness = .whole) {
        self.init()
        let count = utf8.scalarBoundary(upTo: ItemTitle.capacity)
        self.completeness = count < utf8.count ? .cut : completeness
        for index in 0..<count { storage[index] = utf8[index] }
        length = UInt8(truncatingIfNeeded: count)
    }

    /// The number of UTF-8 bytes, 0 to 48.
    public var count: Int { Int(length) }

    /// Whether the title has no bytes.
    public var isEmpty: Bool { length == 0 }

    /// The byte at `index`, which is in `0 ..< count`.
    public subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count, "a title has no such byte")
        return storage[index]
    }

    /// The UTF-8 bytes, `count` of them.
    public var utf8: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { storage.span.extracting(first: count) }
    }
}

extension ItemTitle: Equatable {
    /// Whether both titles have the same bytes and are equally complete.
    public static func == (left: ItemTitle, right: ItemTitle) -> Bool {
        left.completeness == right.completeness && left.utf8.hasSameBytes(as: right.utf8)
    }
}
