/// Changes of the list. From the phone to the watch, queued.
///
/// Changes are written and read one at a time, without a buffer, so this type holds the rest of the payload. To write a
/// message, call `encodeHead`, every change's `encode`, and `encodeTail`. `ListMessageReader` reads it.
public struct ListMessage: ApplicationPayload, Equatable, Sendable, BitwiseCopyable {
    /// The rows that the changes are about.
    public enum Rows: UInt32, Sendable, BitwiseCopyable {
        /// The rows of this watch, which it keeps.
        case given = 0
        /// The rows beyond them, which it does not keep: the rest of the answer to a reload of everything.
        case beyond = 1
    }

    /// The number of unchecked items beyond the rows of this watch.
    public var more: UInt32
    /// The number of changes.
    public var changeCount: UInt32
    /// The token of the reload that this message completes.
    public var reloadToken: UInt32?
    /// The rows that the changes are about.
    public var rows: Rows
    /// The watch's last queued message that the phone had applied when it made this one; 0 for none. A put of an item
    /// holds unless a check-off of it with a higher sequence waits.
    public var applied: UInt32

    /// A message of `changeCount` changes, by default of the rows of this watch.
    public init(more: UInt32, changeCount: UInt32, reloadToken: UInt32? = nil, rows: Rows = .given, applied: UInt32 = 0)
    {
        self.more = more
        self.changeCount = changeCount
        self.reloadToken = reloadToken
        self.rows = rows
        self.applied = applied
    }

    /// The message with this payload.
    public static var message: ApplicationMessage { .list }

    /// The largest size in bytes of a message body without changes: name, keys, counts, token, rows and
    /// applied.
    public static var overhead: Int { 30 }

    /// Writes the payload up to the first change: key 0 more, key 1 the changes.
    @_lifetime(writer: copy writer)
    public func encodeHead(into writer: inout CBORWriter) throws(CBORError) {
        let optional = (reloadToken == nil ? 0 : 1) &+ (rows == .given ? 0 : 1) &+ (applied == 0 ? 0 : 1)
        try writer.map(count: 2 &+ optional)
        try writer.field(0, more)
        try writer.unsigned(1 as UInt32)
        try writer.array(count: Int(truncatingIfNeeded: changeCount))
    }

    /// Writes the payload after the last change: key 2 the reload token, if any, key 3 the rows, unless `.given`, and
    /// key 4 the applied sequence, unless 0.
    @_lifetime(writer: copy writer)
    public func encodeTail(into writer: inout CBORWriter) throws(CBORError) {
        if let reloadToken { try writer.field(2, reloadToken) }
        if rows != .given { try writer.field(3, rows.rawValue) }
        if applied != 0 { try writer.field(4, applied) }
    }
}

/// Reads a `list` message: checks all of it, so that an invalid message is rejected before its first change is applied,
/// then returns one change at a time from the message's bytes.
public struct ListMessageReader: ~Escapable {
    /// The payload without its changes.
    public let message: ListMessage
    private var changes: CBORReader
    private var remaining: UInt32

    /// Reads and checks the payload.
    ///
    /// - Throws: the error of the payload, also for rows of an unknown kind and for missing changes. By default `more`
    ///   is 0, the token nil and the rows `.given`.
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
            case 4: message.applied = try reader.word()
            default: try reader.skip()
            }
        }
        try fields.require(0b10)
        self.message = message
        self.changes = changes
        remaining = message.changeCount
    }

    /// The next change, nil after the last.
    @_lifetime(self: copy self)
    public mutating func next() -> ListChange? {
        guard remaining > 0 else { return nil }
        remaining &-= 1
        // Every change has been read before, so this does not fail; if it did, the list would end here.
        return try? ListChange(from: &changes)
    }
}
