/// Changes of the list. From the phone to the watch, queued.
///
/// A message has as many changes as fit. They are written and read one at a time, without a buffer, so this type holds
/// the rest of the payload: write `encodeHead`, every change's `encode`, `encodeTail`. `ListMessageReader` reads it.
public struct ListMessage: ApplicationPayload, Equatable, Sendable, BitwiseCopyable {
    /// Whose rows the changes are about.
    public enum Rows: UInt32, Sendable, BitwiseCopyable {
        /// The rows of this watch, which it keeps.
        case given = 0
        /// The rows beyond them, which it does not keep: the rest of the answer to a reload of everything.
        case beyond = 1
    }

    /// The unchecked items beyond the rows of this watch.
    public var more: UInt32
    /// The number of changes.
    public var changeCount: UInt32
    /// The token of the reload that this message completes.
    public var reloadToken: UInt32?
    /// Whose rows the changes are about.
    public var rows: Rows

    /// A message of `changeCount` changes.
    public init(more: UInt32, changeCount: UInt32, reloadToken: UInt32? = nil, rows: Rows = .given) {
        self.more = more
        self.changeCount = changeCount
        self.reloadToken = reloadToken
        self.rows = rows
    }

    /// `list`
    public static var message: ApplicationMessage { .list }

    /// The most bytes of a message body that are not changes: name, keys, counts, token and whose rows they are.
    public static var overhead: Int { 24 }

    /// Writes the payload up to the first change: 0 more, 1 the changes.
    @_lifetime(writer: copy writer)
    public func encodeHead(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: (reloadToken == nil ? 2 : 3) &+ (rows == .given ? 0 : 1))
        try writer.field(0, more)
        try writer.unsigned(1 as UInt32)
        try writer.array(count: Int(truncatingIfNeeded: changeCount))
    }

    /// Writes the payload after the last change: 2 reload token, if there is one, and 3 whose rows, unless they are
    /// given.
    @_lifetime(writer: copy writer)
    public func encodeTail(into writer: inout CBORWriter) throws(CBORError) {
        if let reloadToken { try writer.field(2, reloadToken) }
        if rows != .given { try writer.field(3, rows.rawValue) }
    }
}

/// Reads a `list` message, one change at a time and without memory of its own.
///
/// Making the reader reads the whole payload once, so that a message with anything wrong in it is refused before the
/// first change is applied.
public struct ListMessageReader: ~Escapable {
    /// The payload without its changes.
    public let message: ListMessage
    private var changes: CBORReader
    private var remaining: UInt32

    /// Reads and checks the payload.
    ///
    /// - Throws: whatever is wrong with it, rows of an unknown kind included. The changes are required; `more` is 0,
    ///   the token nil and the rows given where they are missing.
    @_lifetime(copy reader)
    public init(_ reader: CBORReader) throws(CBORError) {
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
            default: try reader.skip()
            }
        }
        try fields.require(0b10)
        self.message = message
        self.changes = changes
        remaining = message.changeCount
    }

    /// The next change, or nil after the last.
    @_lifetime(self: copy self)
    public mutating func next() -> ListChange? {
        guard remaining > 0 else { return nil }
        remaining &-= 1
        // Every change has been read once before, so this cannot fail; were it to, the list would end here.
        return try? ListChange(from: &changes)
    }
}
