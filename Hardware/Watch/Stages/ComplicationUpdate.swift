/// Brings the complication up to date from what the watch already has.
public struct ComplicationUpdate: TapStage {
    /// "complication"
    public static var name: StaticString { "complication" }

    /// Has the complication say what remains, and which item comes next.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.complication.update(remaining: watch.data.remaining, next: watch.data.items.firstWaitingTitle)
    }
}

/// Brings the complication up to date the slow way: every row of the phone's database is loaded again, also those that the
/// watch has no room for, and the handler waits for them, or for five seconds. What comes later is applied all the same.
public struct ReloadingComplication: TapStage {
    /// "complication"
    public static var name: StaticString { ComplicationUpdate.name }

    /// Asks for every row, waits until the last of them went by, and has the complication say what remains.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        // The message of this tap, and those of the taps before it whose deferred stages have not run, go before a request.
        if watch.data.outbox.count + watch.taps.deferredCount + 1 < WatchLimits.outbox {
            let token = watch.nextRandomWord()
            watch.data.outbox.append(.reload(token: token))
            watch.serveLink(atMost: WatchLimits.phonePatience) { $0.hasReloaded(token) }
        }
        ComplicationUpdate.run(tap, on: &watch)
    }
}
