import WatchLink

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

    /// Changes what the wearer has chosen, and keeps it.
    @inline(never)
    private mutating func choose(_ settings: WatchSettings) {
        guard settings != core.data.settings else { return }
        core.data.settings = settings
        core.store.keep(.settings, of: &core.data, on: &core.board)
        core.display.invalidateFace()
    }

    /// A watch off the wrist shows its face, without what is private.
    @inline(never)
    private mutating func take(_ event: WristEvent, at time: Instant) {
        switch event {
        case .removed:
            guard core.display.privacy == .shown else { return }
            core.display.setPrivacy(.redacted)
            var next = Screen.face(.now)
            if case .sheet(.pairing(let digits, let since), _) = core.display.screen {
                next = .sheet(.pairing(digits: digits, since: since), returningTo: .face(.now))
            }
            replaceScreen(with: next)
        case .worn:
            core.display.setPrivacy(.shown)
        case .raised:
            if core.complication.pace.held != nil {
                core.complication.pace.release()
                core.display.invalidateFace()
            }
            if core.display.isDrawn, core.display.isShown {
                core.board.trace(.moment(.raise, from: time, at: core.board.now))
            } else {
                core.moment = .awaited(.raise, since: time)
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

    /// Changes the screen for the wearer, who has seen the one before and acted at `time`.
    mutating func show(_ next: Screen, at time: Instant) {
        core.noteSeen(at: time)
        switch (core.display.screen, next) {
        case (.face, .list): core.moment = .awaited(.launch, since: time)
        case (.face, _), (.list, _), (.sheet, _): break
        }
        change(to: next)
    }

    /// Changes the screen under the wearer's finger, which was not meant for the new one.
    private mutating func replaceScreen(with next: Screen) {
        core.touch.cancel()
        change(to: next)
    }

    /// Changes the screen. A held row goes first, because it belongs to the screen before.
    private mutating func change(to next: Screen) {
        releaseRow()
        // Whoever turns to the face sees it as it is.
        core.complication.pace.release()
        core.display.show(next, rows: core.data.items.count)
    }

    /// Does what a handler wants of its sheet. Returns whether there was anything to do.
    mutating func followSheetRequest() -> Bool {
        // Off the wrist it waits.
        guard core.display.privacy == .shown else { return false }
        let request = core.sheetRequest
        core.sheetRequest = .none
        switch (request, core.display.screen) {
        case (.none, _): return false
        case (.show, .sheet(.handler, _)), (.show, .sheet(.pairing, _)): break
        case (.show, let screen):
            if !core.sheet.isNone { replaceScreen(with: .sheet(.handler, returningTo: Screen.Underlying(screen))) }
        case (.close, .sheet(.handler, let under)): replaceScreen(with: under.screen)
        case (.close, .face), (.close, .list), (.close, .sheet): break
        }
        return true
    }

    /// Shows the full title of the first visible row, or the status where the list is empty. The crown then moves to
    /// other titles.
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
        switch (prompt, core.display.screen) {
        case (.compare(let digits), let screen):
            guard digits < 1_000_000 else { return }
            // A phone has turned the screen, and not the wearer.
            replaceScreen(
                with: .sheet(.pairing(digits: digits, since: core.board.now), returningTo: Screen.Underlying(screen)))
            core.board.play(.click)
        case (.over, .sheet(.pairing, let under)):
            replaceScreen(with: under.screen)
        case (.over, .face), (.over, .list), (.over, .sheet):
            break
        }
    }
}
