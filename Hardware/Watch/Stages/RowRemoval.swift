import WatchLink

/// Removes the row: holds it in place until 250 ms after the touch, so that a bounce or a double tap cannot hit the
/// next item, then removes it from the list and moves the rows below up.
public struct RowRemoval: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "row removal" }

    /// Holds the row. The run loop finishes the removal at the end of the hold, or earlier at the wearer's next input.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        // Where this stage is deferred, the row of the tap before may still be held.
        finish(on: &watch)
        watch.taps.holdRow(of: tap, until: tap.touchedAt + WatchLimits.struckRowHold)
    }

    /// Finishes the removal at the end of the hold. Returns whether it did.
    static func finishIfDue<B: Board & ~Copyable>(on watch: inout WatchCore<B>) -> Bool {
        guard let deadline = watch.taps.deadline, deadline <= watch.board.now else { return false }
        finish(on: &watch)
        watch.flush(atMost: Display.linesAtATime)
        return true
    }

    /// Removes the held row, if there is one, and draws the others in their new places, which the next flush sends. An
    /// item that the phone has put back meanwhile keeps its row, which the next redraw shows without the strike.
    static func finish<B: Board & ~Copyable>(on watch: inout WatchCore<B>) {
        // Inlined: every tap calls this twice, and nearly always no row is held.
        if watch.taps.holdsRow { removeHeldRow(on: &watch) }
    }

    @inline(never)
    private static func removeHeldRow<B: Board & ~Copyable>(on watch: inout WatchCore<B>) {
        guard let (tap, held) = watch.taps.endHold(at: watch.board.now) else { return }
        if let row = watch.data.items.row(of: tap.item, near: tap.row), !watch.data.items.isOpen(row: row) {
            watch.data.removeRow(row, checkedAt: watch.board.calendar(at: tap.touchedAt))
            watch.display.closeGap(at: row, watch.data, watch.link.indicator)
        }
        watch.taps.beginLeaving(tap, held: held)
    }
}
