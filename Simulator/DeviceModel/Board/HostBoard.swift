import Watch
import WatchLink

/// A board whose outputs can be looked at from the thread that runs it, whatever flash chip it has.
public protocol HostBoard: AnyObject, Board {
    /// The clock; every thread may read it.
    var clock: SimulatedClock { get }
    /// The inputs on their way to the runtime; every thread may post.
    var inputs: InputQueue { get }
    /// What has come out of the board so far.
    var output: BoardOutput { get }
}
