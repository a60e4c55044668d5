/// Sees to it that the row goes once it has been under the finger for 250 ms.
public struct RowRemoval: TapStage {
    /// "row removal"
    public static var name: StaticString { "row removal" }

    /// Starts the 250 ms.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.holdStruckRow(tap)
    }
}
