/// Brings the complication up to date from what the watch already has.
public struct ComplicationUpdate: TapStage {
    /// "complication"
    public static var name: StaticString { "complication" }

    /// Works out what the complication says now.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.updateComplication()
    }
}

/// Brings the complication up to date the slow way: every row of the phone's database is loaded again, also those that the
/// watch has no room for, and the handler waits for them, or for five seconds.
public struct ReloadingComplication: TapStage {
    /// "complication"
    public static var name: StaticString { ComplicationUpdate.name }

    /// Reloads the list and works out what the complication says now.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.reloadListAndWait(tap)
        watch.updateComplication()
    }
}
