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

    /// Whether it can be restarted in place.
    static var restarts: RestartSupport { get }

    /// Does what a request asks for. Unless that only reads, the program has started up again and drawn the first frame when
    /// this returns.
    ///
    /// - Returns: what is in the flash now.
    mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage
}

extension WatchProgram where Self: ~Copyable {
    /// Yes.
    public var isPanelCurrent: Bool { true }

    /// It cannot.
    public static var restarts: RestartSupport { .impossible }

    /// Fails: it cannot be restarted.
    public mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage { throw .impossible }
}
