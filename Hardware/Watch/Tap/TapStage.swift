/// One job among those that a tap on a row gives rise to.
///
/// A stage keeps nothing between taps: what it needs is in the tap and in the watch. Stages run in the order of the
/// handler that is composed of them, the immediate ones before the panel is updated.
public protocol TapStage: SendableMetatype {
    /// The stage's name, as traces and reports show it.
    static var name: StaticString { get }

    /// Does the job.
    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>)
}
