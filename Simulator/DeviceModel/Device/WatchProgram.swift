import Watch

/// The program that a watch runs, on a board made of software: the watch's runtime, or a smaller one in a test.
public protocol WatchProgram: ~Copyable, SendableMetatype {
    /// The kind of board.
    associatedtype DeviceBoard: HostBoard

    /// The board, for whoever drives the program.
    var board: DeviceBoard { get }

    /// Starts up and draws the first frame. Called once, before everything else.
    mutating func start()

    /// Does the most urgent thing there is to do.
    mutating func step() -> NextStep

    /// What the screen says, as the CBOR that `ScreenDescription` decodes.
    mutating func describe() -> [UInt8]
}
