/// A job of a tap on a row.
///
/// A stage has no state between taps: it works with the tap and the watch. The handler decides the order of its stages
/// and which of them run before the update of the panel.
public protocol TapStage: SendableMetatype {
    /// The stage's name in traces and reports.
    static var name: StaticString { get }

    /// Does the job. The runtime calls it once for each tap.
    ///
    /// - Parameters:
    ///   - tap: the tap, with the item and the time of the touch.
    ///   - watch: the watch, whose board is free to use.
    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>)
}

extension WatchCore where B: ~Copyable {
    /// Runs a stage and traces its begin and end.
    mutating func run<Stage: TapStage>(_ stage: Stage.Type, for tap: Tap) {
        board.trace(.stageBegan(Stage.name, tap: tap.number, at: board.now))
        Stage.run(tap, on: &self)
        board.trace(.stageEnded(Stage.name, tap: tap.number, at: board.now))
    }
}
