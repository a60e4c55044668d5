import WatchLink

extension WatchRuntime where B: ~Copyable {
    /// Handles a touch on a row: runs the immediate stages, updates the panel, and queues the deferred stages. Where much
    /// else is to be sent to the panel, the deferred stages come first: what is felt does not wait for a frame.
    @inline(never)
    mutating func tap(_ target: TouchTargets.Target, at instant: Instant) {
        guard let tap = beginTap(target, at: instant) else { return }
        while core.taps.deferred.isFull { _ = runDeferredStage() }
        let wasAtRest = core.display.isAtRest
        // A row that goes from a short list changes few lines. A handler without deferred stages has nothing that could come
        // before them.
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

    /// Begins a tap where a touch on a row is one, nil where it is not.
    ///
    /// A touch on the held row is a bounce or a double tap and is ignored. A touch on another row removes the held one
    /// at once.
    private mutating func beginTap(_ target: TouchTargets.Target, at instant: Instant) -> Tap? {
        guard case .list = core.display.screen else {
            core.addPast(target.item, touchedAt: instant)
            return nil
        }
        if core.taps.holdsRow(of: target.item) { return nil }
        releaseRow()
        // A strike on rows that have moved in the list and not on the panel would be on another row's title.
        if core.display.hasStaleRows { _ = core.drawIfStale(for: Handler.self) }
        guard let row = core.data.items.row(of: target.item, near: target.row) else { return nil }
        guard case .waiting = core.data.items.state(ofRow: row) else { return nil }
        guard core.data.outbox.count + core.taps.deferred.count < WatchLimits.outbox else {
            core.board.play(.failure)
            return nil
        }
        let tap = core.taps.begin(target.item, row: row, touchedAt: instant)
        core.board.trace(.mark(.touch, tap: tap.number, at: instant))
        return tap
    }

    /// Lets the held row go, once it is known whether its tap is kept.
    mutating func releaseRow() {
        // Every tap calls this, and nearly always no row is held.
        guard core.taps.holdsRow else { return }
        while core.taps.isHeldTapOpen { _ = runDeferredStage() }
        RowRemoval.finish(on: &core)
    }

    /// Runs the next deferred stage. Returns whether one was waiting.
    @inline(never)
    mutating func runDeferredStage() -> Bool {
        guard let (tap, stage) = core.taps.deferred.next(stagesPerTap: handler.deferredCount) else { return false }
        let isAtRest = core.display.isShown
        handler.runDeferred(stage, tap, on: &core)
        // Sent at once, so that it does not lengthen the removal of the row; what the panel still lacked is sent later.
        if isAtRest { core.flush() }
        return true
    }
}
