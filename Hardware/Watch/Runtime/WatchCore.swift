import WatchLink

/// The watch without its tap handler. The stages of a handler work on it.
///
/// Your own stage may use the board, to play a pattern or read the clock, and the public functions. The rest belongs to
/// the built-in stages.
public struct WatchCore<B: Board & ~Copyable>: ~Copyable {
    /// The hardware, free to use for any stage.
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
    var moment = AwaitedMoment.none
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

    /// The bytes that `init` takes for a handler without names, padding included.
    static var memorySize: Int {
        WatchData.memorySize + Display.memorySize + PendingTaps.memorySize + FlashStore.memorySize
            + PhoneLink.memorySize + WatchLimits.largestDescription + padding
    }

    private static var padding: Int { 28 * 7 }

    /// Unchecked items of the phone's list, including those beyond the watch's rows.
    public var remaining: UInt32 { data.remaining }

    mutating func start<Handler: MessageDeclaring>(for handler: Handler.Type) {
        adoptIdentity(journalIsComplete: store.mount(into: &data, on: &board))
        if Handler.largestFile > 0 { files.mount(of: data.phones.own, flash: &board) }
        beginEpoch()
        switch board.wrist {
        case .worn: break
        case .removed:
            display.setPrivacy(.redacted)
            display.show(.face(.now), rows: 0)
        }
        display.setPlaceholder(data.placeholder, rows: data.items.count)
        updateComplication()
        if drawIfStale(for: handler) { flush() }
    }

    /// Draws what is stale, except rows while one is held. Sends only a part to the panel, so that no touch waits for a
    /// whole frame. Returns whether there was anything to do.
    @inline(never)
    mutating func redrawIfStale<Handler: MessageDeclaring>(for handler: Handler.Type) -> Bool {
        guard drawIfStale(for: handler) else { return false }
        flush(atMost: Display.linesAtATime)
        return true
    }

    /// Draws what is stale, except rows while one is held or has a finger on it. Returns whether lines may have changed,
    /// which `flush` sends.
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

    /// Sends changed lines to the panel, all by default. Returns when the last of them is on the panel.
    @discardableResult
    mutating func flush(atMost lines: Int = PanelGeometry.height) -> Instant {
        let shown = display.flush(data.items, to: &board, atMost: lines)
        // A later flush sends the scroll indicator: the wearer does not wait for it.
        if taps.isRowLeaving, settle(at: shown) { display.drawIndicator(data, link.indicator) }
        finishMoment(at: shown)
        return shown
    }

    /// Sends the rows without a scroll indicator, so that the next tap's strike does not wait for that.
    @inline(never)
    mutating func flushRows() {
        let shown = display.flush(data.items, to: &board)
        if taps.isRowLeaving { _ = settle(at: shown) }
    }

    /// Reports a removed row as gone once the panel shows that. Returns whether it does.
    @inline(never)
    private mutating func settle(at shown: Instant) -> Bool {
        guard display.isShown, let leaving = taps.endLeaving() else { return false }
        // The wearer does not wait for the intended delay of the row.
        let settled = Instant(microseconds: shown.microseconds &- leaving.held.count)
        board.trace(.mark(.settled, tap: leaving.tap, at: settled))
        return true
    }

    private mutating func finishMoment(at shown: Instant) {
        switch moment {
        case .none: break
        case .awaited(let awaited, let since):
            guard display.isShown, display.isDrawn else { return }
            moment = .none
            board.trace(.moment(awaited, from: since, at: shown))
        }
    }

    /// What the status sheet says beyond the state of the link.
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

    /// Ends a time travel that the wearer has left alone, and shows a change by the phone that is due. Returns whether
    /// there was one.
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

    /// The beginning of the present minute; nil while the clock is not set. A face shows what is current then, because it
    /// is drawn once a minute, and so does its description.
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
    /// Adds a past item that the wearer has touched on its sheet. The panel shows it at once, then the message is
    /// stored, then the wearer feels that it is kept. If there is no room, the wearer feels the failure and the list is
    /// as before.
    @inline(never)
    mutating func addPast(_ id: ItemID, touchedAt instant: Instant) {
        // An item that is on the list now was touched twice.
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
    /// What the handler's sheet shows. The panel follows it while the sheet is up. The wearer opens it by holding the
    /// crown on the face or the list, and closes it with either button.
    public var sheet: HandlerSheet {
        get { display.handlerSheet }
        set { display.setHandlerSheet(newValue) }
    }

    /// Whether the panel shows the handler's sheet.
    public var isSheetUp: Bool { display.screen.name == .sheet }

    /// Puts the handler's sheet over the screen after the calling stage or handler returns. It never covers the digits
    /// of a pairing.
    public mutating func showSheet() { sheetRequest = .show }

    /// Closes the handler's sheet after the calling stage or handler returns.
    public mutating func closeSheet() { sheetRequest = .close }
}

enum SheetRequest: BitwiseCopyable {
    case none
    case show
    case close
}
