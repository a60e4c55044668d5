/// Updates the complication from the data on the watch: the remaining count and the next item.
public struct ComplicationUpdate: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "complication" }

    /// Passes the remaining count and the next title to the complication.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.updateComplication()
    }
}

/// Updates the complication the slow way: requests all rows of the phone's list, also those that the watch has no room
/// for, and waits for the last of them, at most 5 s. What arrives later is applied all the same.
public struct ReloadingComplication: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { ComplicationUpdate.name }

    /// Requests the rows, waits for them, and updates the complication.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        // The outbox needs room for the messages of this tap and of earlier taps with deferred stages still to run.
        if watch.data.outbox.count + watch.taps.deferred.count + 1 < WatchLimits.outbox {
            let token = watch.nextRandomWord()
            if watch.issue(.reload(token: token)) {
                watch.data.awaitReload(token)
                watch.serveLink(atMost: WatchLimits.phonePatience) { $0.hasReloaded(token) }
            }
        }
        ComplicationUpdate.run(tap, on: &watch)
    }
}
