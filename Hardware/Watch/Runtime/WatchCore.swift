import WatchLink

/// A watch without its tap handler: the board, the data, the screen and the link. The handler and its stages receive
/// this value. They may use the board and the public functions.
public struct WatchCore<B: Board & ~Copyable>: ~Copyable {
    /// The hardware.
    public var board: B
    var data: WatchData
    var display: Display
    var complication = ComplicationState()
    var taps: PendingTaps
    var store: FlashStore
    var link: PhoneLink
    var files: FileStore
    var linkNotice = StatusNotice.none
    var isPairable = false
    var sheetRequest = SheetRequest.none
    var awaited: (moment: WatchMoment, since: Instant)?
    var touch = TouchGesture()
    private var random: SplitMix64
    let descriptionMemory: FixedArray<UInt8>
    private let inPlace = InPlace()

    init<Handler: MessageDeclaring>(
        board: consuming B, memory: UnsafeMutableRawBufferPointer, seed: UInt64, for handler: Handler.Type
    ) {
        var arena = MemoryArena(memory)
        data = WatchData(arena: &arena, declare: Handler.declare)
        display = Display(arena: &arena)
        taps = PendingTaps(arena: &arena)
        store = FlashStore(arena: &arena)
        files = FileStore(arena: &arena, limit: Handler.largestFile, geometry: board.flashGeometry)
        let kinds = data.messages.kinds.and(files.takesFiles ? .files : .none).and(.complications)
        link = PhoneLink(arena: &arena, kinds: kinds)
        descriptionMemory = arena.take(WatchLimits.largestDescription, of: 0)
        random = SplitMix64(seed: seed)
        self.board = board
    }

    /// The number of bytes of memory that a watch needs, with padding. Memory for the handler's messages and for files
    /// is not included.
    static var memorySize: Int {
        WatchData.memorySize + Display.memorySize + PendingTaps.memorySize + FlashStore.memorySize
            + PhoneLink.memorySize + WatchLimits.largestDescription + padding
    }

    private static var padding: Int { 28 * 7 }

    /// The number of open items on the list, including those that the watch does not store.
    public var remaining: UInt32 { data.remaining }

    mutating func start<Handler: MessageDeclaring>(for handler: Handler.Type) {
        adoptIdentity(journalIsComplete: store.mount(into: &data, on: &board))
        if Handler.largestFile > 0 { files.mount(of: data.phones.own, flash: &board) }
        beginEpoch()
        switch board.wrist {
        case .worn: break
        case .removed:
            display.setRedacted(true)
            display.show(.face(.now), rows: 0)
        }
        display.setPlaceholder(data.placeholder, rows: data.items.count)
        updateComplication()
        if drawIfStale(for: handler) { flush() }
    }

    /// Draws what is stale, and sends at most `Display.linesAtATime` changed lines, so that no touch waits for a whole
    /// frame. Returns whether there was anything to draw or send.
    @inline(never)
    mutating func redrawIfStale<Handler: MessageDeclaring>(for handler: Handler.Type) -> Bool {
        guard drawIfStale(for: handler) else { return false }
        flush(atMost: Display.linesAtATime)
        return true
    }

    /// Draws what is stale. Does not draw the rows while a checked-off row is held, or while a finger is on a row.
    /// Returns whether `flush` may have lines to send.
    @inline(never)
    mutating func drawIfStale<Handler: MessageDeclaring>(for handler: Handler.Type) -> Bool {
        let now = display.screen.showsTime ? minute : nil
        if let now { display.noticeMinute(now) }
        if B.hasColours { display.setTheme(data.settings.theme) }
        display.setNotice(notice)
        display.setSigns(ShownSigns(isBatteryLow: board.isBatteryLow, isPairable: isPairable))
        let isDrawn = display.redraw(
            data, link.indicator, complication, at: now, holdingRows: taps.holdsRow || touch.isOnRow)
        if Handler.largestFile > 0, let picture = display.takeMissingPicture() { draw(picture) }
        return isDrawn
    }

    /// Sends at most `lines` changed lines, and waits until the last of them is on the panel. Returns the time at the
    /// end of this wait.
    @discardableResult
    mutating func flush(atMost lines: Int = PanelGeometry.height) -> Instant {
        let shown = display.flush(data.items, to: &board, atMost: lines)
        // The wearer does not wait for the scroll indicator, so a later flush sends it.
        if taps.isRowLeaving, settle(at: shown) { display.drawIndicator(data, link.indicator) }
        finishMoment(at: shown)
        return shown
    }

    /// Sends all changed lines, like `flush`, but does not draw the scroll indicator. The runtime calls this at the
    /// start of a tap, which must not wait for the indicator.
    @inline(never)
    mutating func flushRows() {
        let shown = display.flush(data.items, to: &board)
        if taps.isRowLeaving { _ = settle(at: shown) }
    }

    /// Records the mark `.settled` of the tap that removed a row, if the panel no longer shows that row. Returns
    /// whether it recorded the mark.
    @inline(never)
    private mutating func settle(at shown: Instant) -> Bool {
        guard display.isShown, let leaving = taps.endLeaving() else { return false }
        // Subtracts the time for which the row was held on purpose: it is no delay for the wearer.
        let settled = Instant(microseconds: shown.microseconds &- leaving.held.count)
        board.trace(.mark(.settled, tap: leaving.tap, at: settled))
        return true
    }

    private mutating func finishMoment(at shown: Instant) {
        guard let ended = awaited, display.isShown, display.isDrawn else { return }
        awaited = nil
        board.trace(.moment(ended.moment, from: ended.since, at: shown))
    }

    /// The message to the wearer that the status sheet shows below the state of the link.
    var notice: StatusNotice {
        switch store.notice {
        case .none: data.losses.notice == .none ? linkNotice : data.losses.notice
        case .notStored, .flashFailing, .recordsLost, .otherPhone, .replaced, .phoneRestored: store.notice
        }
    }

    mutating func updateComplication() {
        complication.update(remaining: data.remaining, next: data.items.firstWaitingTitle)
        complication.pace.release()
    }

    /// Ends time travel if `WatchLimits.travelTimeout` has passed since the last turn of the crown. Otherwise, shows a
    /// change by the phone if `UpdatePace` has delayed it for long enough. Returns whether it did one of the two.
    mutating func followClock() -> Bool {
        if let end = display.screen.travelEnd, end <= board.now {
            display.show(.face(.now), rows: data.items.count)
            return true
        }
        guard complication.pace.deadline != nil else { return false }
        guard complication.pace.finishIfDue(at: board.now) else { return false }
        display.invalidateFace()
        return true
    }

    mutating func nextDeadline() -> Instant? {
        let face = earliest(nextMinute, earliest(display.screen.travelEnd, complication.pace.deadline))
        let shown = earliest(earliest(taps.deadline, touch.deadline), face)
        let own = earliest(shown, earliest(link.deadline, store.deadline))
        guard data.messages.slots.count > 0 || files.takesFiles else { return own }
        return earliest(own, earliest(files.deadline, earliest(data.messages.deadline, data.messages.keepValuesAt)))
    }

    /// The start of the present minute; nil if the clock is not set. The face and its description show this time.
    var minute: LocalTime? {
        @inline(never) mutating get { board.calendar.map { LocalTime(seconds: $0.seconds - $0.seconds % 60) } }
    }

    private var nextMinute: Instant? {
        mutating get {
            guard display.screen.showsTime, let now = board.calendar else { return nil }
            return board.now + .seconds(60 - now.seconds % 60)
        }
    }

    private func earliest(_ left: Instant?, _ right: Instant?) -> Instant? {
        guard let left else { return right }
        guard let right else { return left }
        return min(left, right)
    }

    mutating func nextRandomWord() -> UInt32 { random.nextWord() }

    mutating func nextEpoch() -> UInt32 {
        while true {
            let word = random.nextWord()
            if word != 0 { return word }
        }
    }

    mutating func mark(_ mark: TapMark, tap: TapNumber) {
        board.trace(.mark(mark, tap: tap, at: board.now))
    }
}

extension WatchCore where B: ~Copyable {
    /// Adds a past item to the list, after the wearer touched the item. Updates the panel first, then stores a message
    /// for the phone, and plays the haptic last. If the message cannot be stored, removes the item again and plays the
    /// failure haptic.
    @inline(never)
    mutating func addPast(_ id: ItemID, touchedAt instant: Instant) {
        // If the item is already on the list, this is a second touch.
        guard case .sheet(.past, _) = display.screen, data.items.isPast(id) else { return }
        data.items.firstInView = display.firstListRow
        guard !data.outbox.isFull, data.items.count < WatchLimits.items, data.addPast(id) else {
            return board.play(.failure)
        }
        showPast()
        let isKept = issue(.addition(id, at: board.calendar(at: instant)))
        if !isKept {
            data.takeBackPast(id)
            showPast()
        }
        board.play(isKept ? .click : .failure)
    }

    private mutating func showPast() {
        display.followRows(data.items)
        updateComplication()
        display.setPlaceholder(data.placeholder, rows: data.items.count)
        display.invalidate(.everything)
        _ = drawIfStale(for: NoMessages.self)
        flush()
    }
}

extension WatchCore where B: ~Copyable {
    /// The content of the handler's sheet. To open the sheet, the wearer holds the crown while the panel shows the face
    /// or the list. Either button closes it.
    public var sheet: HandlerSheet {
        get { display.handlerSheet }
        set { display.setHandlerSheet(newValue) }
    }

    /// Whether the panel shows the handler's sheet.
    public var isSheetUp: Bool { display.screen.name == .sheet }

    /// Shows the handler's sheet once the calling stage or handler has returned, unless the panel shows the digits of a
    /// pairing.
    public mutating func showSheet() { sheetRequest = .show }

    /// Closes the handler's sheet once the calling stage or handler has returned.
    public mutating func closeSheet() { sheetRequest = .close }
}

enum SheetRequest: BitwiseCopyable {
    case none
    case show
    case close
}
