import WatchLink

extension WatchCore where B: ~Copyable {
    /// Writes a description of the screen into `buffer` as a CBOR map. Returns its length in bytes.
    ///
    /// The map always has these keys:
    /// - 0 name of the screen, 1 title of the list, 2 number of open items, 5 number of open items that only the phone
    ///   stores
    /// - 3 index of the first visible row, 4 visible rows `[[id, title, struck, cut], ...]`, 11 the same index as key 3,
    ///   but 0 off the wrist
    /// - 6 `LinkIndicator`, 7 number of messages that wait for the phone, 8 synchronized (0 or 1)
    /// - 9 complication `[text, remaining]`, without `remaining` if the panel shows no number
    /// - 10 time `HH:MM` or `H:MM AM`, `--:--` if unset; 13 `StatusNotice`, 14 `EmptyListPlaceholder`, 16 `FaceStyle`
    /// - 20 signs: 1 if the battery is low, plus 2 if phones may pair
    ///
    /// Off the wrist, the map also has key 17, with the value 1. Some screens add one key:
    /// - 12 the six digits of a pairing, as a number
    /// - 15 the handler's sheet `[title, text, label of a button, ...]`; key 4 then has no rows
    /// - 18 the row of a full title, in the form of a row in key 4
    /// - 19 time travel `[now, then, complication]`, with both times in local seconds since 1970
    mutating func describe(into buffer: inout MutableSpan<UInt8>) throws(CBORError) -> Int {
        var writer = CBORWriter(buffer._mutatingExtracting(0..<buffer.count))
        let now = minute
        let travel = faceTravel(at: now)
        let titleRow = titleRow
        let hasOwnKey =
            switch display.screen {
            case .face: travel != nil
            case .sheet(.fullTitle, _): titleRow != nil
            case .sheet(.pairing, _), .sheet(.handler, _): true
            case .list, .sheet(.status, _), .sheet(.past, _): false
            }
        try writer.map(count: (isReadable ? 16 : 17) + (hasOwnKey ? 1 : 0))
        try writer.unsigned(0 as UInt32)
        try writer.text(display.screen.name.text)
        try writer.unsigned(1 as UInt32)
        try writer.text(data.title.utf8)
        try writer.field(2, data.remaining)
        try writer.field(3, UInt32(truncatingIfNeeded: firstVisibleRow))
        try writer.unsigned(4 as UInt32)
        // There are no rows while the handler's sheet is up, because the sheet and six long titles would not fit together.
        let visible = visibleRows
        try describeRows(isSheetUp ? 0..<0 : visible, &writer)
        try writer.field(5, data.more)
        try writer.field(6, UInt32(link.indicator.rawValue))
        try writer.field(7, UInt32(truncatingIfNeeded: waitingMessages))
        try writer.field(8, isSynchronized ? 1 : 0)
        try writer.unsigned(9 as UInt32)
        try describeComplication(at: now, &writer)
        try writer.unsigned(10 as UInt32)
        try describeTime(now, &writer)
        try writer.field(11, UInt32(truncatingIfNeeded: visible.lowerBound))
        if let pairingDigits { try writer.field(12, pairingDigits) }
        try writer.field(13, UInt32(notice.rawValue))
        try writer.field(14, UInt32(display.placeholder.rawValue))
        if isSheetUp { try describeSheet(&writer) }
        try writer.field(16, UInt32(data.settings.face.rawValue))
        if !isReadable { try writer.field(17, 1) }
        if let titleRow { try describeFullTitle(titleRow, &writer) }
        if let travel { try describe(travel, &writer) }
        try writer.field(20, UInt32(display.signs.bits))
        return writer.count
    }

    var firstVisibleRow: Int {
        display.screen.rows(of: data.items)?.first ?? display.firstListRow
    }

    var describedRows: ItemRows {
        display.screen.rows(of: data.items)?.0 ?? data.items.rows(.list)
    }

    var visibleRows: Range<Int> {
        guard isReadable else { return 0..<0 }
        let count = describedRows.rowCount
        let first = min(firstVisibleRow, count)
        return first..<min(first + RowGeometry.rowsVisible, count)
    }

    var isReadable: Bool { !display.isRedacted }

    /// Whether touches, the crown and the buttons have an effect. Off the wrist, they have no effect unless a phone asks to
    /// pair.
    var takesWearer: Bool { isReadable || pairingDigits != nil }

    var waitingMessages: Int { data.outbox.count + taps.deferred.count }

    var pairingDigits: UInt32? {
        guard case .sheet(.pairing(let digits, _), _) = display.screen else { return nil }
        return digits
    }

    @_lifetime(writer: copy writer)
    @inline(never)
    private func describeRows(_ rows: Range<Int>, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.array(count: rows.count)
        let described = describedRows
        for row in rows { try describe(described[row], &writer) }
    }

    @_lifetime(writer: copy writer)
    @inline(never)
    private func describe(_ item: ListItem, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.array(count: 4)
        try writer.unsigned(item.id.rawValue)
        try writer.text(item.title.utf8)
        try writer.unsigned(UInt32(item.shown.rawValue))
        try writer.unsigned(UInt32(item.title.completeness.rawValue))
    }

    @_lifetime(writer: copy writer)
    @inline(never)
    private func describeFullTitle(_ row: Int, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(18 as UInt32)
        try describe(data.items[row], &writer)
    }

    private var titleRow: Int? {
        guard case .sheet(.fullTitle(let id), _) = display.screen else { return nil }
        return data.items.row(of: id)
    }

    private func faceTravel(at now: LocalTime?) -> FaceTravel? {
        guard case .face(let state) = display.screen, let now,
            let entry = data.timeline.entry(state.steps, stepsFrom: now)
        else { return nil }
        return FaceTravel(from: now, to: LocalTime(seconds: entry.date), content: complication.content(of: entry))
    }

    @_lifetime(writer: copy writer)
    @inline(never)
    private func describe(_ travel: FaceTravel, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(19 as UInt32)
        try writer.array(count: 3)
        try writer.unsigned(travel.from.seconds)
        try writer.unsigned(travel.to.seconds)
        try describe(travel.content, &writer)
    }

    @_lifetime(writer: copy writer)
    @inline(never)
    private mutating func describeComplication(at now: LocalTime?, _ writer: inout CBORWriter) throws(CBORError) {
        var content = complication.content(at: now, data.timeline, lastCheckOff: data.lastCheckOff)
        if !isReadable { content = .placeholder }
        try describe(content, &writer)
    }

    @_lifetime(writer: copy writer)
    @inline(never)
    private func describe(_ content: ComplicationContent, _ writer: inout CBORWriter) throws(CBORError) {
        var number: UInt32?
        if case .items(let remaining, _, _) = content { number = remaining }
        try writer.array(count: number == nil ? 1 : 2)
        switch content {
        case .placeholder: try writer.text("")
        case .items(_, _, let next): try writer.text(next.utf8)
        case .text(let text): try writer.text(text.utf8)
        case .lastTrip: try writer.text("last trip")
        case .date: try writer.text("date")
        }
        if let number { try writer.unsigned(number) }
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
    private func describeTime(_ now: LocalTime?, _ writer: inout CBORWriter) throws(CBORError) {
        guard let now else { return try writer.text("--:--") }
        var text = ShortText()
        let fields = CalendarFields(now)
        let form = data.settings.clock
        text.append(UInt32(truncatingIfNeeded: form.shown(hour: fields.hour)), digits: form.hourDigits)
        text.append(":")
        text.append(UInt32(truncatingIfNeeded: fields.minute), digits: 2)
        text.append(half: form.half(hour: fields.hour))
        try writer.text(text.utf8)
    }
}

struct FaceTravel: BitwiseCopyable {
    let from: LocalTime
    let to: LocalTime
    let content: ComplicationContent
}
