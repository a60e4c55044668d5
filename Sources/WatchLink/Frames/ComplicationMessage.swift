/// An entry of the complication's time line. It is current from its date until the date of the next entry, or until it expires.
public struct ComplicationEntry: Equatable, Sendable, BitwiseCopyable {
    /// What an entry of the time line shows.
    public enum Content: Equatable, Sendable, BitwiseCopyable {
        /// The number of open items. The entry's text is the title of the next open item.
        case items(remaining: UInt32)
        /// The entry's text alone.
        case text
    }

    /// The time from which the entry is current, in local seconds since 1970.
    public var date: UInt32
    /// What the entry shows.
    public var content: Content
    /// The title of the next open item if `content` is `.items`, otherwise the text to show. `ItemTitle` cuts a text of more
    /// than 48 bytes and marks it as cut.
    public var text: ItemTitle
    /// How much the entry matters compared with the open items on the watch, 0 to 255: see `listRelevance`.
    public var relevance: UInt8
    /// When the entry expires even if no later entry follows, in local seconds since 1970; nil if never.
    public var expires: UInt32?

    /// An entry that is current from `date` on.
    public init(
        date: UInt32, content: Content, text: ItemTitle, relevance: UInt8 = 0, expires: UInt32? = nil
    ) {
        self.date = date
        self.content = content
        self.text = text
        self.relevance = relevance
        self.expires = expires
    }

    /// The relevance of the open items on the watch. An entry with a higher relevance is shown instead of them.
    public static var listRelevance: UInt8 { 100 }

    /// Whether the entry has begun and not expired at `time`. A later entry may have replaced it.
    public func isCurrent(at time: UInt32) -> Bool {
        guard date <= time else { return false }
        guard let expires else { return true }
        return time < expires
    }

    private var wireContent: (kind: UInt32, remaining: UInt32) {
        switch content {
        case .items(let remaining): (0, remaining)
        case .text: (1, 0)
        }
    }

    private var isPlain: Bool { relevance == 0 && expires == nil }

    /// The number of bytes that `encode(into:)` writes, 5 to 69.
    public var encodedSize: Int {
        let size =
            2 &+ CBORWriter.headSize(date) &+ CBORWriter.headSize(wireContent.remaining)
            &+ CBORWriter.headSize(UInt32(truncatingIfNeeded: text.count)) &+ text.count
        guard !isPlain else { return size }
        return size &+ CBORWriter.headSize(UInt32(relevance)) &+ CBORWriter.headSize(expires ?? 0)
    }

    /// Writes the entry as the CBOR array `[date, kind, remaining, text, relevance, expires]`. The last two elements are
    /// left out if `relevance` is 0 and `expires` is nil.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.array(count: isPlain ? 4 : 6)
        try writer.unsigned(date)
        try writer.unsigned(wireContent.kind)
        try writer.unsigned(wireContent.remaining)
        try writer.text(text.utf8)
        guard !isPlain else { return }
        try writer.unsigned(UInt32(relevance))
        try writer.unsigned(expires ?? 0)
    }

    /// Reads an entry. Elements after the known ones are skipped.
    public init(from reader: inout CBORReader) throws(CBORError) {
        let count = try reader.array()
        guard count >= 4 else { throw .malformed }
        date = try reader.word()
        switch (try reader.byte(), try reader.word()) {
        case (0, let remaining): content = .items(remaining: remaining)
        case (1, _): content = .text
        case (_, _): throw .malformed
        }
        text = ItemTitle(utf8: try reader.text())
        relevance = count > 4 ? try reader.byte() : 0
        expires = count > 5 ? try reader.wordUnlessZero() : nil
        guard count > 6 else { return }
        for _ in 6..<count { try reader.skip() }
    }
}

/// The complication's whole time line. Sent as a latest value (`LinkDelivery.latest`): the watch keeps only the newest time
/// line. To write the payload, call `encodeHead`, then `encode` of each entry.
package struct ComplicationMessage: ApplicationPayload, Equatable, Sendable, BitwiseCopyable {
    package var entryCount: UInt32

    package init(entryCount: UInt32) {
        self.entryCount = entryCount
    }

    package static var message: ApplicationMessage { .complication }
    package static var mostEntries: Int { 16 }
    /// The size in bytes of a message body without entries: the name, the map's head, its key and the array's head.
    package static var overhead: Int { 16 }

    /// Writes the part of the payload before the entries. The caller then writes the entries in ascending order of their dates.
    @_lifetime(writer: copy writer)
    package func encodeHead(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: 1)
        try writer.unsigned(0 as UInt32)
        try writer.array(count: Int(truncatingIfNeeded: entryCount))
    }
}

/// Reads the payload of a `complication` message. `init` checks the whole payload, and `next` then returns one entry at a time.
package struct ComplicationMessageReader: ~Escapable {
    package let message: ComplicationMessage
    private var entries: CBORReader
    private var remaining: UInt32

    /// Checks the payload, which begins at the reader's position.
    /// - Throws: `.tooLong` for more than 16 entries; `.malformed` if the entries are missing, or if an entry's date is earlier
    ///   than the previous entry's; the errors of decoding the payload.
    @_lifetime(copy reader)
    package init(_ reader: CBORReader) throws(CBORError) {
        var reader = reader
        var entries = reader
        var message = ComplicationMessage(entryCount: 0)
        var fields = try CBORFields(&reader)
        while let key = try fields.next(&reader) {
            guard key == 0 else {
                try reader.skip()
                continue
            }
            let count = try reader.array()
            guard count <= ComplicationMessage.mostEntries else { throw .tooLong }
            message.entryCount = UInt32(truncatingIfNeeded: count)
            entries = reader
            var last: UInt32 = 0
            for _ in 0..<count {
                let entry = try ComplicationEntry(from: &reader)
                guard entry.date >= last else { throw .malformed }
                last = entry.date
            }
        }
        try fields.require(0b1)
        self.message = message
        self.entries = entries
        remaining = message.entryCount
    }

    @_lifetime(self: copy self)
    package mutating func next() -> ComplicationEntry? {
        guard remaining > 0 else { return nil }
        remaining &-= 1
        // `init` has read every entry, so this cannot fail.
        return try? ComplicationEntry(from: &entries)
    }
}
