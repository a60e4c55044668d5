/// A file that the phone has sent.
public struct WatchFile: Equatable, Sendable, BitwiseCopyable {
    /// Counts up with each file of the watch.
    public let generation: UInt32
    /// The bytes of it.
    public let length: Int
}

/// How far a file has come that arrives.
public enum WatchFileArrival: Equatable, Sendable, BitwiseCopyable {
    /// None arrives.
    case none
    /// This many of its bytes are in flash.
    case arriving(written: Int, of: Int)
}
