import Watch
import WatchLink

/// A board whose outputs can be looked at from the thread that runs it, whatever flash chip it has.
public protocol HostBoard: WatchSurface, Board {}

extension HostBoard {
    /// The newest input that the runtime has taken. It is asked when the runtime is idle, which has handled it by then.
    public var handled: InputNumber { inputs.taken }

    /// A board made of software does not break.
    public var condition: SurfaceCondition { .working }
}
