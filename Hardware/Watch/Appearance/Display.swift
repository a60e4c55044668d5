import WatchLink

/// The present screen, and its picture in memory (`framebuffer`). The drawing functions compute the picture from the screen
/// and from the data that the caller passes. `flush` sends the changed lines to the panel.
struct Display: ~Copyable {
    private(set) var screen: Screen = .list(ListState())
    private(set) var framebuffer: Framebuffer
    var stale: StaleRegions = .everything
    /// False from the time at which something is drawn until `flush` has sent all changed lines. Two kinds of drawing leave this
    /// as it is: a strike, and the lines of a sheet's picture. A tap counts the unsent lines only if this is false.
    private(set) var isAtRest = true
    private(set) var placeholder: EmptyListPlaceholder = .none
    private var notice = StatusNotice.none
    private(set) var signs = ShownSigns()
    /// The face that the framebuffer shows. Nil if it shows another screen, or if the whole face must be drawn again.
    private var drawnFace: DrawnFace?
    private(set) var isRedacted = false
    private(set) var handlerSheet = HandlerSheet.none
    private var theme = Theme.dark
    /// A picture whose lines must still be read from flash.
    private var missingPicture: FilePicture?
    private var targets: TouchTargets
    private var targetsBefore: TouchTargets
    /// The last minute for which `noticeMinute` marked the screen as stale. Minutes count from 1970 in local time.
    private var shownMinute: UInt32?
    /// The number of open items that was last drawn. On the list screen, the framebuffer shows this number unless the title
    /// bar is stale.
    private var drawnCount: UInt32 = 0
    private let digits: TitleDigits
    private let inPlace = InPlace()

    static var memorySize: Int { Framebuffer.memorySize + 2 * TouchTargets.memorySize + TitleDigits.memorySize }

    init(arena: inout MemoryArena) {
        framebuffer = Framebuffer(arena: &arena)
        targets = TouchTargets(arena: &arena)
        targetsBefore = TouchTargets(arena: &arena)
        digits = TitleDigits(arena: &arena)
    }

    // MARK: The screen

    /// Changes to another screen, and marks everything as stale. The list has `rows` rows, and does not scroll beyond the last
    /// row.
    mutating func show(_ next: Screen, rows: Int) {
        screen = next
        stale = .everything
        clampScroll(rows: rows)
    }

    /// Scrolls the list down by `step` rows, or up if `step` is negative. Stops at the ends. `rows` is the number of rows in
    /// the list.
    mutating func scroll(by step: Int, rows: Int) {
        guard case .list(let state) = screen else { return }
        let first = max(0, min(Display.lastFirstRow(rows), state.firstVisibleRow + step))
        guard first != state.firstVisibleRow else { return }
        screen = .list(ListState(firstVisibleRow: first))
        stale.insert(.rows)
    }

    /// The index of the list's first visible row, even while a sheet covers the list. 0 if the screen is the face or a sheet
    /// over the face.
    var firstListRow: Int {
        switch Screen.Underlying(screen) {
        case .list(let state): state.firstVisibleRow
        case .face: 0
        }
    }

    /// Keeps the same rows in view after the list has changed (`ItemList.firstInView`). A list that is scrolled to the top
    /// stays at the top, so that new rows there come into view.
    mutating func followRows(_ items: borrowing ItemList) {
        guard firstListRow > 0 else { return }
        let list = ListState(firstVisibleRow: max(0, items.firstInView))
        switch screen {
        case .list, .face: screen = .list(list)
        case .sheet(let sheet, _): screen = .sheet(sheet, returningTo: .list(list))
        }
        clampScroll(rows: items.count)
    }

    /// Time travel: moves the face by one entry of the time line for each detent of the crown, and stops at the first and last
    /// entry. `now` and `instant` are the present time. The travel ends `WatchLimits.travelTimeout` after `instant`.
    mutating func travel(by detents: Int, from now: LocalTime, _ timeline: borrowing Timeline, at instant: Instant) {
        guard case .face(let state) = screen else { return }
        let range = timeline.travelRange(from: now)
        let present = state.steps
        let steps = max(range.lower, min(range.upper, present + detents))
        let until = instant + WatchLimits.travelTimeout
        screen = .face(steps == 0 ? .now : .travelling(steps: Int8(truncatingIfNeeded: steps), until: until))
        guard steps != present else { return }
        stale = .everything
    }

    @inline(never)
    private mutating func clampScroll(rows: Int) {
        guard case .list(let state) = screen else { return }
        let last = Display.lastFirstRow(rows)
        if state.firstVisibleRow > last { screen = .list(ListState(firstVisibleRow: last)) }
    }

    private static func lastFirstRow(_ rows: Int) -> Int { max(0, rows - RowGeometry.rowsVisible) }

    /// Returns the row that a touch means; nil if there is none. The touch's interrupt came at `instant`, at most `scan` after
    /// the finger touched the panel. If the rows changed in between, the touch means a row from before the change.
    func target(x: Int16, y: Int16, at instant: Instant, scan: Microseconds) -> TouchTargets.Target? {
        guard screen.hasRows, (0..<PanelGeometry.width).contains(Int(x)),
            let position = RowGeometry.row(atY: Int(y))
        else { return nil }
        if let shownSince = targets.shownSince, instant >= shownSince + scan { return targets.target(at: position) }
        return targetBefore(at: position, instant, scan)
    }

    /// Returns the row that was at `position` before the rows last changed, because the finger may have come down before the
    /// change. This is a separate function, so that an ordinary touch costs less.
    @inline(never)
    private func targetBefore(at position: Int, _ instant: Instant, _ scan: Microseconds) -> TouchTargets.Target? {
        // Only the rows before the last change are known. A touch that may be older than these rows is ignored.
        guard let shownSince = targetsBefore.shownSince, instant >= shownSince + scan else { return nil }
        return targetsBefore.target(at: position)
    }

    // MARK: What is stale

    mutating func setRedacted(_ next: Bool) {
        if next != isRedacted { invalidateFace() }
        isRedacted = next
    }

    mutating func setHandlerSheet(_ next: HandlerSheet) {
        handlerSheet = next
        if case .sheet(.handler, _) = screen { stale.insert(.everything) }
    }

    /// Sets the theme. If the theme changes, marks all lines as unsent, because their colours change.
    mutating func setTheme(_ next: Theme) {
        guard next != theme else { return }
        theme = next
        framebuffer.dirty.insert(0..<PanelGeometry.height)
        isAtRest = false
    }

    mutating func setNotice(_ next: StatusNotice) {
        if next != notice { invalidateStatus() }
        notice = next
    }

    @inline(never)
    mutating func setSigns(_ next: ShownSigns) {
        guard next != signs else { return }
        signs = next
        drawnFace = nil
        invalidateUnlessList()
    }

    /// Sets what the list shows while it has no rows. `rows` is the present number of rows in the list.
    mutating func setPlaceholder(_ next: EmptyListPlaceholder, rows: Int) {
        if rows == 0, next != placeholder { stale.insert(.rows) }
        placeholder = next
    }

    mutating func noticeMinute(_ now: LocalTime) {
        guard screen.showsTime, now.seconds / 60 != shownMinute else { return }
        shownMinute = now.seconds / 60
        stale.insert(.everything)
    }

    // MARK: Drawing

    /// Draws what is stale, but draws no rows if `isHeld` is true. Returns whether `flush` may have lines to send. The time
    /// `now` is nil if the clock is not set or the screen shows no time.
    mutating func redraw(
        _ data: borrowing WatchData, _ link: LinkIndicator, _ complication: borrowing ComplicationState,
        at now: LocalTime?, holdingRows isHeld: Bool
    ) -> Bool {
        let regions = stale
        switch (regions, screen) {
        case (.nothing, _):
            // Lines that were drawn earlier may still be unsent.
            return framebuffer.hasChanges
        case (.rows, .list) where isHeld:
            return framebuffer.hasChanges
        case (_, .sheet) where isHeld && screen.hasRows:
            return framebuffer.hasChanges
        case (.listScreen, .list) where isHeld, (.everything, .list) where isHeld:
            stale = .rows
            drawnFace = nil
            drawTitleBar(Display.titleBar(data, link))
        case (.title, .list), (.rows, .list), (.listScreen, .list), (.everything, .list):
            stale = .nothing
            drawnFace = nil
            drawList(regions, data, link)
        case (_, .face(let state)):
            stale = .nothing
            drawFace(state, data, complication, at: now)
        case (_, .sheet(let sheet, _)):
            stale = .nothing
            drawnFace = nil
            drawSheet(sheet, data, link)
        }
        isAtRest = false
        return true
    }

    var isShown: Bool { !framebuffer.hasChanges }

    /// Returns the notice once the status sheet has shown it for `WatchLimits.noticeReading`, long enough to read it.
    /// Otherwise returns `.none`.
    func readNotice(at instant: Instant) -> StatusNotice {
        guard case .sheet(.status, _) = screen, case .nothing = stale, isAtRest, let shownSince = targets.shownSince,
            instant >= shownSince + WatchLimits.noticeReading
        else { return .none }
        return notice
    }

    var unsentLines: Int { framebuffer.dirty.count }

    /// The maximum number of lines to send at a time while the wearer does not wait for them. A line takes 163 us (LS013B7DH05
    /// at 1 MHz), so a touch waits at most 3.3 ms.
    static var linesAtATime: Int { 20 }

    /// If at most this many lines are unsent, a tap updates the panel before its deferred stages run. If more lines are unsent,
    /// the deferred stages run before the update. Sending this many lines takes 5.9 ms (LS013B7DH05).
    static var fewLines: Int { 36 }

    /// Sends at most `most` changed lines. Returns the time at which the last of them is on the panel. If no changed line is
    /// left, records the rows on the panel, so that touches can be matched to them.
    @inline(never)
    @discardableResult
    mutating func flush(
        _ items: borrowing ItemList, to board: inout some Board & ~Copyable, atMost most: Int = PanelGeometry.height
    ) -> Instant {
        board.setColours(theme, titleLines: screen.hasTitleBar ? RowGeometry.titleBarHeight : 0)
        let sent = framebuffer.flush(to: &board, atMost: most)
        guard sent > 0 else {
            isAtRest = true
            return board.now
        }
        // The rows are recorded when all lines are sent. This costs no time, because the board is still sending the last lines.
        let isPart = sent == most && framebuffer.hasChanges
        if !isPart { isAtRest = true }
        let isChanged = isPart ? false : recordTargets(items)
        board.finishLines()
        let now = board.now
        if isChanged { targets.shownSince = now }
        board.trace(.screenChanged(at: now))
        return now
    }

    /// Draws the number of open items in the list's title bar. Draws only the digits if the rest of the bar stays the same.
    @inline(never)
    mutating func drawCount(_ data: borrowing WatchData, _ link: LinkIndicator) {
        guard case .list = screen else { return }
        isAtRest = false
        let count = data.remaining
        guard !stale.contains(.title), TitleBar.canReplaceCount(drawnCount, with: count) else {
            drawTitleBar(Display.titleBar(data, link))
            return
        }
        TitleBar.replaceCount(drawnCount, with: count, digits, into: &framebuffer)
        drawnCount = count
    }

    @inline(never)
    private mutating func drawTitleBar(_ titleBar: TitleBar) {
        titleBar.draw(into: &framebuffer)
        drawnCount = titleBar.remaining
    }

    /// Draws a strike through the title of the row at the index `row`. The title is `width` pixels wide.
    mutating func strike(row: Int, width: Int) {
        guard case .list(let state) = screen else { return }
        ListAppearance.strikeRow(at: row, firstVisible: state.firstVisibleRow, width: width, into: &framebuffer)
    }

    /// Closes the gap that a removed row leaves on the panel: moves the other rows, and draws the row that comes into view.
    /// `row` is the index that the removed row had.
    @inline(never)
    mutating func closeGap(at row: Int, _ data: borrowing WatchData, _ link: LinkIndicator) {
        guard case .list(let before) = screen else { return }
        isAtRest = false
        clampScroll(rows: data.items.count)
        guard case .list(let after) = screen else { return }
        if stale.contains(.rows) || data.items.isEmpty {
            drawStaleRows(data, link)
            return
        }
        appearance(after, data, link).closeGap(
            at: row, from: before.firstVisibleRow, data.items.rows(.list), into: &framebuffer)
    }

    @inline(never)
    mutating func drawIndicator(_ data: borrowing WatchData, _ link: LinkIndicator) {
        guard case .list(let state) = screen else { return }
        isAtRest = false
        appearance(state, data, link).drawIndicator(rowCount: data.items.count, into: &framebuffer)
    }

    private mutating func drawStaleRows(_ data: borrowing WatchData, _ link: LinkIndicator) {
        switch stale {
        case .nothing, .rows: stale = .nothing
        case .title, .listScreen: stale = .title
        case .everything: return
        }
        drawList(.rows, data, link)
    }

    @inline(never)
    private mutating func drawList(_ regions: StaleRegions, _ data: borrowing WatchData, _ link: LinkIndicator) {
        clampScroll(rows: data.items.count)
        guard case .list(let state) = screen else { return }
        let appearance = appearance(state, data, link)
        if regions.contains(.title) { drawTitleBar(appearance.titleBar) }
        if regions.contains(.rows) { appearance.drawRows(data.items.rows(.list), into: &framebuffer) }
    }

    private func appearance(
        _ state: ListState, _ data: borrowing WatchData, _ link: LinkIndicator
    ) -> ListAppearance {
        ListAppearance(
            titleBar: Display.titleBar(data, link), firstVisible: state.firstVisibleRow, more: data.more,
            placeholder: placeholder)
    }

    private static func titleBar(_ data: borrowing WatchData, _ link: LinkIndicator) -> TitleBar {
        TitleBar(title: data.title, remaining: data.remaining, link: link)
    }

    @inline(never)
    private mutating func drawFace(
        _ state: FaceState, _ data: borrowing WatchData, _ complication: borrowing ComplicationState,
        at now: LocalTime?
    ) {
        let time: FaceTime
        let content: ComplicationContent
        if let now, let entry = data.timeline.entry(state.steps, stepsFrom: now) {
            time = .travelled(minutes: now.minutes(to: entry.date), time: LocalTime(seconds: entry.date))
            content = complication.content(of: entry)
        } else {
            time = now.map { .current($0) } ?? .unset
            content = complication.content(at: now, data.timeline, lastCheckOff: data.lastCheckOff)
        }
        let face = FaceAppearance(
            time: time, complication: Complication(content: content, isRedacted: isRedacted), style: data.settings.face,
            clock: data.settings.clock, signs: signs)
        drawnFace = face.update(from: drawnFace, into: &framebuffer)
    }

    @inline(never)
    private mutating func drawSheet(_ sheet: Sheet, _ data: borrowing WatchData, _ link: LinkIndicator) {
        switch sheet {
        case .status:
            let waiting = UInt32(truncatingIfNeeded: data.outbox.count)
            SheetAppearance.drawStatus(
                link: link, waiting: waiting, notice: notice, signs: signs, into: &framebuffer)
        case .fullTitle(let id):
            let title = data.items.row(of: id).map { data.items[$0].title } ?? ItemTitle()
            SheetAppearance.drawFullTitle(title, into: &framebuffer)
        case .pairing(let digits, _):
            SheetAppearance.drawPairing(digits: digits, into: &framebuffer)
        case .past: drawPast(data.items, link)
        case .handler:
            handlerSheet.draw(into: &framebuffer)
            if case .picture(let picture) = handlerSheet.middle { missingPicture = picture }
        }
    }

    @inline(never)
    private mutating func drawPast(_ items: borrowing ItemList, _ link: LinkIndicator) {
        guard let (rows, first) = screen.rows(of: items) else { return }
        let title = TitleBar(
            title: ItemTitle(utf8: ("Add again" as StaticString).utf8),
            remaining: UInt32(truncatingIfNeeded: rows.rowCount), link: link)
        ListAppearance(titleBar: title, firstVisible: first, more: 0, placeholder: .noPast)
            .draw(rows, into: &framebuffer)
    }

    mutating func takeMissingPicture() -> FilePicture? {
        let picture = missingPicture
        missingPicture = nil
        return picture
    }

    mutating func draw(_ bytes: Span<UInt8>, of picture: FilePicture, line: Int) {
        handlerSheet.draw(bytes, of: picture, line: line, into: &framebuffer)
    }

    var hasStaleRows: Bool {
        switch screen {
        case .list: stale.contains(.rows)
        case .face, .sheet: false
        }
    }

    /// Records the rows on the panel, to match touches to them. Keeps the previous rows, because a touch may have been meant
    /// for them. Returns false if the rows are the same as before, or are not drawn yet.
    private mutating func recordTargets(_ items: borrowing ItemList) -> Bool {
        // The panel still shows the previous rows.
        if hasStaleRows { return false }
        guard let (rows, first) = screen.rows(of: items) else {
            swap(&targets, &targetsBefore)
            targets.showNone()
            return true
        }
        let visible = RowGeometry.rowsVisible
        if targets.areRows(rows, firstRow: first, visible: visible) { return false }
        swap(&targets, &targetsBefore)
        targets.show(rows, firstRow: first, visible: visible)
        return true
    }

    /// Computes a checksum of the visible rows; nil if the screen is not the list. If a message from the phone leaves the
    /// checksum unchanged, the rows need not be drawn again.
    @inline(never)
    func checkOfRows(_ data: borrowing WatchData) -> UInt32? {
        guard case .list(let state) = screen else { return nil }
        var check = CRC32()
        let end = state.firstVisibleRow + RowGeometry.rowsVisible
        var row = state.firstVisibleRow
        while row < min(end, data.items.count) {
            check.update(word: data.items[row].id.rawValue)
            check.update(data.items[row].shown.rawValue)
            check.update(data.items[row].title.utf8)
            check.update(UInt8(truncatingIfNeeded: data.items[row].title.count))
            row += 1
        }
        // If the end of the list is in view, what the watch shows below the last row counts too.
        if data.items.count <= end {
            check.update(word: UInt32(truncatingIfNeeded: data.items.count))
            check.update(word: data.more)
        }
        return check.checksum
    }
}
