import Watch

/// The program that a watch runs: the watch's runtime on a simulated board, the firmware in an emulator, or a smaller one
/// in a test.
public protocol WatchProgram: ~Copyable, SendableMetatype {
    /// The kind of hardware under it.
    associatedtype Surface: WatchSurface

    /// The hardware under it, for whoever drives the program.
    var surface: Surface { get }

    /// Starts up and draws the first frame. Called once, before everything else.
    mutating func start()

    /// Does the most urgent thing there is to do.
    mutating func step() -> NextStep

    /// What the screen says.
    mutating func describe() -> ScreenDescription

    /// Whether the panel shows the rows that the description names. A program that does not know says yes.
    var isPanelCurrent: Bool { get }
}

extension WatchProgram where Self: ~Copyable {
    /// Yes.
    public var isPanelCurrent: Bool { true }
}
