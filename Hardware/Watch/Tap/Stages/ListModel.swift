/// Marks the item as struck in the list and strikes its row through in the framebuffer.
public struct ListModel: TapStage {
    /// "list model"
    public static var name: StaticString { "list model" }

    /// Strikes the item.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.strike(tap)
    }
}
