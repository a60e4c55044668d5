import WatchLink

extension WatchCore where B: ~Copyable {
    /// Writes the content of the screen, with the visible rows, as a CBOR map. Keys: 0 screen, 1 title, 2 remaining, 3
    /// first visible row, 4 rows `[[id, title, struck, cut], ...]`, 5 more, 6 link, 7 messages waiting, 8 synchronized, 9
    /// complication `[text, remaining]`, 10 time `HH:MM`, 11 the row number of the first of the rows, and while a phone
    /// wants to pair 12 the six digits as a number; 13 the notice of the status sheet, 14 the placeholder, and while the
    /// handler's sheet is up 15 `[title, text, label of a button, ...]`.
    mutating func describe(into buffer: inout MutableSpan<UInt8>) throws(CBORError) -> Int {
        var writer = CBORWriter(buffer._mutatingExtracting(0..<buffer.count))
        // No two sheets are up at once.
        try writer.map(count: pairingDigits == nil && !isSheetUp ? 14 : 15)
        try writer.unsigned(0 as UInt32)
        try writer.text(display.screen.name.text)
        try writer.unsigned(1 as UInt32)
        try writer.text(data.title.utf8)
        try writer.field(2, data.remaining)
        try writer.field(3, UInt32(truncatingIfNeeded: firstVisibleRow))
        try writer.unsigned(4 as UInt32)
        // The handler's sheet and six long titles would be more than there is room for.
        try describeRows(isSheetUp ? 0..<0 : visibleRows, &writer)
        try writer.field(5, data.more)
        try writer.field(6, UInt32(link.indicator.rawValue))
        try writer.field(7, UInt32(truncatingIfNeeded: waitingMessages))
        try writer.field(8, isSynchronized ? 1 : 0)
        try writer.unsigned(9 as UInt32)
        try describeComplication(&writer)
        try writer.unsigned(10 as UInt32)
        try describeTime(&writer)
        try writer.field(11, UInt32(truncatingIfNeeded: visibleRows.lowerBound))
        if let pairingDigits { try writer.field(12, pairingDigits) }
        try writer.field(13, UInt32(notice.rawValue))
        try writer.field(14, UInt32(data.placeholder.rawValue))
        if isSheetUp { try describeSheet(&writer) }
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

    var waitingMessages: Int { data.outbox.count + taps.deferred.count }

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
        var shown = remaining
        switch complicationContent {
        case .placeholder: try writer.text("")
        case .items(let remaining, _, let next):
            try writer.text(next.utf8)
            shown = remaining
        case .text(let text): try writer.text(text.utf8)
        case .lastTrip: try writer.text("last trip")
        case .date: try writer.text("date")
        }
        try writer.unsigned(shown)
    }

    @_lifetime(writer: copy writer)
    @inline(never)
    private func describeSheet(_ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(15 as UInt32)
        try writer.array(count: 2 + sheet.buttonCount)
        try writer.text(sheet.title)
        try writer.text(sheet.words.utf8)
        var button = 0
        while button < sheet.buttonCount {
            try writer.text(sheet.label(button))
            button += 1
        }
    }

    @_lifetime(writer: copy writer)
    private mutating func describeTime(_ writer: inout CBORWriter) throws(CBORError) {
        guard let now = board.calendar else { return try writer.text("--:--") }
        let minutes = now.seconds / 60
        // A text of five bytes, which follow one by one.
        try writer.raw(0x60 | 5)
        try writer.twoDigits(minutes / 60 % 24)
        try writer.raw(UInt8(ascii: ":"))
        try writer.twoDigits(minutes % 60)
    }
}

extension CBORWriter {
    @_lifetime(self: copy self)
    fileprivate mutating func twoDigits(_ number: UInt32) throws(CBORError) {
        try raw(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10))
        try raw(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
