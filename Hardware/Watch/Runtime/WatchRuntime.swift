import WatchLink

/// A complete watch: a board, the watch's state, and the handler for a tap on a row.
///
/// The caller calls `start` once, and then `step` forever. If `step` returns `.idle`, the caller calls `board.idle`
/// before the next step.
public struct WatchRuntime<B: Board & ~Copyable, Handler: TapHandler>: ~Copyable {
    var core: WatchCore<B>
    let handler: Handler

    /// The number of bytes of memory that `init` needs.
    public static var memorySize: Int {
        WatchCore<B>.memorySize + MessageNames.need(of: Handler.declare).memorySize
            + (Handler.largestFile > 0 ? FileStore.memorySize : 0)
    }

    /// Makes a watch whose state is in `memory`: at least `memorySize` bytes, aligned to 16, that nothing else uses.
    /// `seed` has random bits, from which the watch makes its epochs and, if flash has none, its identity.
    public init(
        board: consuming B, handler: consuming Handler, memory: UnsafeMutableRawBufferPointer, seed: UInt64
    ) {
        core = WatchCore(board: board, memory: memory, seed: seed, for: Handler.self)
        self.handler = handler
    }

    /// The hardware.
    public var board: B {
        _read { yield core.board }
        _modify { yield &core.board }
    }

    /// Reads the journal and draws the first picture.
    public mutating func start() {
        core.start(for: Handler.self)
    }

    /// Does the most urgent task. Input comes first, so that a tap comes before all waiting work.
    public mutating func step() -> NextStep {
        if let input = core.board.nextInput() {
            take(input.input, at: input.time)
            return .again
        }
        if !core.taps.isHeldTapOpen, RowRemoval.finishIfDue(on: &core) { return .again }
        if finishLongPress() || runDeferredStage() || giveMessage() || followSheetRequest() || core.followClock()
            || core.redrawIfStale(for: Handler.self) || core.serviceLink(for: Handler.self) || core.maintainJournal()
            || core.maintainFiles(for: Handler.self)
        {
            return .again
        }
        return .idle(until: core.nextDeadline())
    }

    /// Describes the screen in CBOR; see `WatchCore.describe`. The result is valid until the next call of a mutating
    /// function.
    package mutating func description() throws(CBORError) -> FixedArray<UInt8> {
        var buffer = core.descriptionMemory
        var span = buffer.mutableSpan
        return core.descriptionMemory.slice(0..<(try core.describe(into: &span)))
    }
}

/// What the run loop must do after a step.
public enum NextStep: Sendable, Equatable, BitwiseCopyable {
    /// Call `step` again at once.
    case again
    /// Call `Board.idle` with this deadline, then `step`. Nil means no deadline.
    case idle(until: Instant?)
}

// MARK: Input

extension WatchRuntime where B: ~Copyable {
    @inline(never)
    mutating func take(_ input: Input, at time: Instant) {
        switch input {
        case .wrist(let event):
            core.touch.cancel()
            return take(event, at: time)
        case .clock(let form):
            var settings = core.data.settings
            settings.clock = form
            return choose(settings)
        case .pairing(let prompt): return follow(prompt)
        case .touch, .moved, .lifted: break
        case .crown, .press, .hold: core.touch.cancel()
        }
        guard core.takesWearer else { return core.touch.cancel() }
        switch input {
        case .touch(let x, let y):
            press(TouchGesture.Place(x: x, y: y), at: time)
        case .moved(let x, let y):
            perform(core.touch.move(to: TouchGesture.Place(x: x, y: y), at: time), at: time)
        case .lifted(let x, let y):
            let place = TouchGesture.Place(x: x, y: y)
            if let target = core.touch.liftForTap(at: place, at: time) { return tap(target, at: time) }
            perform(core.touch.lift(at: place, at: time), at: time)
        case .crown(let detents):
            follow(core.display.screen.afterCrown(detents), at: time)
        case .press(let button):
            follow(core.display.screen.afterPress(button), at: time)
        case .hold(let button):
            follow(core.display.screen.afterHold(button), at: time)
        case .pairing, .wrist, .clock: break
        }
    }

    @inline(never)
    private mutating func choose(_ settings: WatchSettings) {
        guard settings != core.data.settings else { return }
        core.data.settings = settings
        core.store.keep(.settings, of: &core.data, on: &core.board)
        core.display.invalidateFace()
    }

    /// Reacts when the wearer puts the watch on, takes it off or raises the wrist. Off the wrist, the watch shows its
    /// face without private content.
    @inline(never)
    private mutating func take(_ event: WristEvent, at time: Instant) {
        switch event {
        case .removed:
            guard core.isReadable else { return }
            core.display.setRedacted(true)
            var next = Screen.face(.now)
            if case .sheet(.pairing(let digits, let since), _) = core.display.screen {
                next = .sheet(.pairing(digits: digits, since: since), returningTo: .face(.now))
            }
            replaceScreen(with: next)
        case .worn:
            core.display.setRedacted(false)
        case .raised:
            if core.complication.pace.held != nil {
                core.complication.pace.release()
                core.display.invalidateFace()
            }
            if core.display.isDrawn, core.display.isShown {
                core.board.trace(.moment(.raise, from: time, at: core.board.now))
            } else {
                core.awaited = (.raise, since: time)
            }
        }
    }

    @inline(never)
    mutating func follow(_ move: ScreenMove, at time: Instant) {
        switch move {
        case .stay:
            break
        case .show(let screen):
            show(screen, at: time)
        case .scroll(let rows):
            releaseRow()
            core.display.scroll(by: rows, rows: core.data.items.count)
        case .travel(let detents):
            guard let now = core.board.calendar else { return }
            core.display.travel(by: detents, from: now, core.data.timeline, at: core.board.now)
        case .changeFace(let step):
            var settings = core.data.settings
            settings.face = settings.face.next(by: step)
            choose(settings)
        case .changeTheme(let step):
            guard B.hasColours else { return }
            var settings = core.data.settings
            settings.theme = settings.theme.next(by: step)
            choose(settings)
            core.display.invalidate(.everything)
        case .readTitle:
            readTitle()
        case .readOn(let id, let rows, let under):
            guard let row = core.data.items.row(of: id) else { return show(under.screen, at: time) }
            let next = max(0, min(core.data.items.count - 1, row + rows))
            show(.sheet(.fullTitle(core.data.items[next].id), returningTo: under), at: time)
        case .offer(let first, let under):
            let last = core.data.items.rows(.past).rowCount - RowGeometry.rowsVisible
            let first = UInt8(truncatingIfNeeded: max(0, min(last, first)))
            show(.sheet(.past(first: first), returningTo: under), at: time)
        case .answer(let answer, let shownSince, let under):
            guard time >= shownSince + WatchLimits.pairingGuard else { return }
            core.board.answerPairing(answer)
            show(under.screen, at: time)
        case .openPairing:
            core.board.answerPairing(.open)
            core.board.play(.click)
        case .openSheet(let under):
            if !core.sheet.isNone { show(.sheet(.handler, returningTo: under), at: time) }
        case .pressButton(let button):
            core.board.play(.click)
            let work = MessageWork(.button, button: UInt8(truncatingIfNeeded: button))
            core.board.began(work)
            handler.press(button, on: &core)
            core.board.ended(work)
        }
    }

    /// Changes the screen because the wearer acted at `time`. If the previous screen has shown a notice for long
    /// enough, records it as read.
    mutating func show(_ next: Screen, at time: Instant) {
        core.noteSeen(at: time)
        if case .face = core.display.screen, case .list = next { core.awaited = (.launch, since: time) }
        change(to: next)
    }

    /// Changes the screen, and cancels the touch of a finger that is down, because it was not meant for the new screen.
    private mutating func replaceScreen(with next: Screen) {
        core.touch.cancel()
        change(to: next)
    }

    /// Removes a held row, which belongs to the previous screen, and then changes the screen.
    private mutating func change(to next: Screen) {
        releaseRow()
        // A change by the phone no longer waits, so that the face is up to date when the wearer returns to it.
        core.complication.pace.release()
        core.display.show(next, rows: core.data.items.count)
    }

    mutating func followSheetRequest() -> Bool {
        guard core.isReadable else { return false }
        let request = core.sheetRequest
        core.sheetRequest = .none
        switch request {
        case .none: return false
        case .show:
            switch core.display.screen {
            case .sheet(.handler, _), .sheet(.pairing, _): break
            case .face, .list, .sheet(.status, _), .sheet(.fullTitle, _), .sheet(.past, _):
                let under = Screen.Underlying(core.display.screen)
                if !core.sheet.isNone { replaceScreen(with: .sheet(.handler, returningTo: under)) }
            }
        case .close:
            if case .sheet(.handler, let under) = core.display.screen { replaceScreen(with: under.screen) }
        }
        return true
    }

    /// Shows the full title of the first visible row, or the status sheet if the list is empty.
    private mutating func readTitle() {
        releaseRow()
        guard case .list(let state) = core.display.screen else { return }
        guard state.firstVisibleRow < core.data.items.count else {
            return replaceScreen(with: .sheet(.status, returningTo: .list(state)))
        }
        replaceScreen(with: .sheet(.fullTitle(core.data.items[state.firstVisibleRow].id), returningTo: .list(state)))
    }

    @inline(never)
    private mutating func follow(_ prompt: PairingPrompt) {
        switch prompt {
        case .compare(let digits):
            guard digits < 1_000_000 else { return }
            let under = Screen.Underlying(core.display.screen)
            replaceScreen(with: .sheet(.pairing(digits: digits, since: core.board.now), returningTo: under))
            core.board.play(.click)
        case .over:
            if case .sheet(.pairing, let under) = core.display.screen { replaceScreen(with: under.screen) }
        case .open: core.isPairable = true
        case .closed: core.isPairable = false
        }
    }

    mutating func press(_ place: TouchGesture.Place, at time: Instant) {
        let target = core.display.target(x: place.x, y: place.y, at: time, scan: core.board.touchScanInterval)
        core.touch.press(at: place, on: target, at: time)
    }

    @inline(never)
    mutating func perform(_ action: TouchGesture.Action, at time: Instant) {
        switch action {
        case .nothing: break
        case .tapRow(let target): tap(target, at: time)
        case .tap(let press, let lift):
            let button = core.sheet.button(atX: Int(press.place.x), y: Int(press.place.y))
            let isOnButton = button == core.sheet.button(atX: Int(lift.x), y: Int(lift.y))
            follow(
                core.display.screen.afterTap(
                    fromY: Int(press.place.y), toY: Int(lift.y), button: isOnButton ? button : nil), at: time)
        case .longPress(let item): readTitle(of: item, at: time)
        case .drag(let rows) where B.hasCrown: follow(core.display.screen.afterDrag(rows: rows), at: time)
        case .drag(let rows):
            follow(core.display.screen.afterCrown(Int8(truncatingIfNeeded: rows)), at: time)
        case .swipe(let step): follow(core.display.screen.afterSwipe(step), at: time)
        }
    }

    mutating func finishLongPress() -> Bool {
        guard let deadline = core.touch.deadline, let action = core.touch.expire(at: core.board.now) else {
            return false
        }
        perform(action, at: deadline)
        return true
    }

    private mutating func readTitle(of item: ItemID, at time: Instant) {
        releaseRow()
        guard case .list(let state) = core.display.screen, core.data.items.row(of: item) != nil else { return }
        show(.sheet(.fullTitle(item), returningTo: .list(state)), at: time)
    }

    /// Handles a tap on a row. If many lines of pixels from before the tap must still be sent to the panel, runs the
    /// handler's deferred stages before the update of the panel, so that the haptic is not late.
    @inline(never)
    mutating func tap(_ target: TouchTargets.Target, at instant: Instant) {
        guard let tap = beginTap(target, at: instant) else { return }
        while core.taps.deferred.isFull { _ = runDeferredStage() }
        let wasAtRest = core.display.isAtRest
        // A row that leaves a short list changes few lines. A handler without deferred stages has nothing to run first.
        let isAtRest = wasAtRest || handler.deferredCount == 0 || core.display.unsentLines <= Display.fewLines
        if isAtRest, !wasAtRest { core.flushRows() }
        handler.runImmediate(tap, on: &core)
        core.mark(.handled, tap: tap.number)
        if !isAtRest {
            queueDeferredStages(of: tap)
            while runDeferredStage() {}
        }
        let shown = core.flush()
        core.taps.recordUpdate(at: shown)
        core.board.trace(.mark(.updated, tap: tap.number, at: shown))
        guard isAtRest else { return }
        queueDeferredStages(of: tap)
        if !wasAtRest { core.display.drawIndicator(core.data, core.link.indicator) }
    }

    private mutating func queueDeferredStages(of tap: Tap) {
        if handler.deferredCount > 0 { core.taps.deferred.append(tap) }
    }

    /// Begins a tap on a row of the list. A touch on the held row is a bounce or a double tap, and has no effect. A touch
    /// on another row first removes the held row. If the panel shows the sheet of past items, adds the touched item to
    /// the list. Returns nil if the touch checks nothing off.
    private mutating func beginTap(_ target: TouchTargets.Target, at instant: Instant) -> Tap? {
        guard case .list = core.display.screen else {
            core.addPast(target.item, touchedAt: instant)
            return nil
        }
        if core.taps.holdsRow(of: target.item) { return nil }
        releaseRow()
        // If rows have moved in the list but not on the panel, the strike would hit another row's title.
        if core.display.hasStaleRows { _ = core.drawIfStale(for: Handler.self) }
        guard let row = core.data.items.row(of: target.item, near: target.row), core.data.items.isWaiting(row: row)
        else { return nil }
        guard core.data.outbox.count + core.taps.deferred.count < WatchLimits.outbox else {
            core.board.play(.failure)
            return nil
        }
        let tap = core.taps.begin(target.item, row: row, touchedAt: instant)
        core.board.trace(.mark(.touch, tap: tap.number, at: instant))
        return tap
    }

    /// Removes the held row, if there is one. First runs deferred stages until the row's tap is either stored or
    /// refused. The row of a refused tap stays on the list.
    mutating func releaseRow() {
        // Every tap calls this, and usually no row is held.
        guard core.taps.holdsRow else { return }
        while core.taps.isHeldTapOpen { _ = runDeferredStage() }
        RowRemoval.finish(on: &core)
    }

    /// Runs the next deferred stage of the oldest tap that still has one. Returns false if there is none.
    @inline(never)
    mutating func runDeferredStage() -> Bool {
        guard let (tap, stage) = core.taps.deferred.next(stagesPerTap: handler.deferredCount) else { return false }
        let isAtRest = core.display.isShown
        handler.runDeferred(stage, tap, on: &core)
        // Sends the stage's lines at once, so that they do not delay the removal of the row. Other lines are sent later.
        if isAtRest { core.flush() }
        return true
    }
}

extension WatchRuntime where B: ~Copyable {
    @inline(never)
    mutating func giveMessage() -> Bool {
        guard let pending = core.nextMessage() else { return false }
        let work = pending.message.work
        core.board.began(work)
        handler.take(pending.message, on: &core)
        core.board.ended(work)
        core.finish(pending)
        return true
    }

    /// The indices of the list's rows, or of the past items while the panel shows their sheet. The range is empty while
    /// the watch is off the wrist.
    package var rows: Range<Int> { 0..<(core.isReadable ? core.describedRows.rowCount : 0) }

    package var visibleRows: Range<Int> { core.visibleRows }

    /// Whether all changes of the list's rows are drawn. False, for example, while changed rows wait because a row is
    /// held. Drawn lines may still be unsent.
    package var isPanelCurrent: Bool { !core.display.hasStaleRows }

    package func item(row: Int) -> ListItem { core.describedRows[row] }
}
