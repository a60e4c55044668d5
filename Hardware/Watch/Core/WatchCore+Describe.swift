import WatchLink

extension WatchCore where B: ~Copyable {
    /// Writes what the screen says, with the visible rows, as a CBOR map. Keys: 0 screen, 1 title, 2 remaining, 3 first visible row, 4 rows
    /// `[[id, title, struck, cut], ...]`, 5 more, 6 link, 7 messages waiting, 8 synchronized, 9 complication
    /// `[text, remaining]`, 10 time `HH:MM`, 11 the row that the first of the rows is; and while a phone wants to pair 12 the number that its
    /// six digits make.
    mutating func describe(into buffer: inout MutableSpan<UInt8>) throws(CBORError) -> Int {
        var writer = CBORWriter(buffer._mutatingExtracting(0..<buffer.count))
        try writer.map(count: pairingDigits == nil ? 12 : 13)
        try writer.key(0)
        try writer.text(display.screen.name.text)
        try writer.key(1)
        try writer.text(data.title.utf8)
        try writer.key(2)
        try writer.unsigned(data.remaining)
        try writer.key(3)
        try writer.unsigned(UInt32(truncatingIfNeeded: firstVisibleRow))
        try writer.key(4)
        try describeRows(visibleRows, &writer)
        try writer.key(5)
        try writer.unsigned(data.more)
        try writer.key(6)
        try writer.unsigned(UInt32(link.indicator.rawValue))
        try writer.key(7)
        try writer.unsigned(UInt32(truncatingIfNeeded: waitingMessages))
        try writer.key(8)
        try writer.unsigned(isSynchronized ? 1 as UInt32 : 0)
        try writer.key(9)
        try describeComplication(&writer)
        try writer.key(10)
        try describeTime(&writer)
        try writer.key(11)
        try writer.unsigned(UInt32(truncatingIfNeeded: visibleRows.lowerBound))
        if let pairingDigits {
            try writer.key(12)
            try writer.unsigned(pairingDigits)
        }
        return writer.count
    }

    var firstVisibleRow: Int {
        switch display.screen {
        case .list(let state), .sheet(_, .list(let state)): state.firstVisibleRow
        case .face, .sheet(_, .face): 0
        }
    }

    var visibleRows: Range<Int> {
        let first = min(firstVisibleRow, data.items.count)
        return first..<min(first + RowGeometry.rowsVisible, data.items.count)
    }

    var waitingMessages: Int { data.outbox.count + taps.deferredCount }

    var complicationContent: ComplicationContent {
        mutating get { complication.content(at: board.calendar, data.timeline, lastTrip: data.lastTrip) }
    }

    var pairingDigits: UInt32? {
        switch display.screen {
        case .sheet(.pairing(let digits, _), _): digits
        case .face, .list, .sheet: nil
        }
    }

    @_lifetime(writer: copy writer)
    @inline(never)
    private func describeRows(_ rows: Range<Int>, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.array(count: rows.count)
        for row in rows {
            let item = data.items[row]
            try writer.array(count: 4)
            try writer.unsigned(item.id.rawValue)
            try writer.text(item.title.utf8)
            try writer.unsigned(UInt32(item.shown.rawValue))
            try writer.unsigned(UInt32(item.title.completeness.rawValue))
        }
    }

    @_lifetime(writer: copy writer)
    @inline(never)
    private mutating func describeComplication(_ writer: inout CBORWriter) throws(CBORError) {
        try writer.array(count: 2)
        switch complicationContent {
        case .placeholder: try describeComplication("", remaining, &writer)
        case .items(let remaining, _, let next):
            try writer.text(next.utf8)
            try writer.unsigned(remaining)
        case .text(let text):
            try writer.text(text.utf8)
            try writer.unsigned(remaining)
        case .lastTrip: try describeComplication("last trip", remaining, &writer)
        case .date: try describeComplication("date", remaining, &writer)
        }
    }

    @_lifetime(writer: copy writer)
    private func describeComplication(
        _ text: StaticString, _ remaining: UInt32, _ writer: inout CBORWriter
    ) throws(CBORError) {
        try writer.text(text)
        try writer.unsigned(remaining)
    }

    @_lifetime(writer: copy writer)
    private mutating func describeTime(_ writer: inout CBORWriter) throws(CBORError) {
        guard let now = board.calendar else { return try writer.text("--:--") }
        let minutes = now.seconds / 60
        try writer.textHead(5)
        try writer.twoDigits(minutes / 60 % 24)
        try writer.raw(UInt8(ascii: ":"))
        try writer.twoDigits(minutes % 60)
    }
}

extension CBORWriter {
    @_lifetime(self: copy self)
    fileprivate mutating func key(_ key: UInt32) throws(CBORError) {
        try unsigned(key)
    }

    /// The head of a text of fewer than 24 bytes, which follow one by one.
    @_lifetime(self: copy self)
    fileprivate mutating func textHead(_ count: UInt8) throws(CBORError) {
        try raw(0x60 | count)
    }

    @_lifetime(self: copy self)
    fileprivate mutating func twoDigits(_ number: UInt32) throws(CBORError) {
        try raw(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10))
        try raw(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
