import HostSystem
import Watch
import WatchLink

/// The events of a radio for which a board waits.
public struct RadioInterest: Sendable {
    /// Which descriptor a board waits on with poll(2), and for which events.
    public enum Watching: Sendable, Equatable {
        /// No descriptor can report an event now.
        case nothing
        /// Wait for a datagram, a connection or a hang-up.
        case readable(CInt)
        /// Also wait until the descriptor is writable, because the radio refused a datagram as `.busy` or is connecting.
        case readableOrWritable(CInt)
    }

    /// The descriptor that the board waits on with poll(2), and the events.
    public var watching: Watching
    /// A second descriptor to wait on until it is readable: a listening port, on which the other side connects repeatedly. Nil
    /// if there is none.
    public var listening: CInt?
    /// The latest time for the next call of `service`, such as the next attempt to connect. Nil if there is none.
    public var wakeAt: Instant?

    /// Creates an interest in `watching`, in connections at `listening` and in the time `wakeAt`.
    public init(_ watching: Watching, listening: CInt? = nil, wakeAt: Instant? = nil) {
        self.watching = watching
        self.listening = listening
        self.wakeAt = wakeAt
    }
}

extension RadioInterest {
    package var descriptors: [PolledDescriptor] {
        let listener = listening.map { [PolledDescriptor($0, .readable)] } ?? []
        return switch watching {
        case .nothing: listener
        case .readable(let descriptor): listener + [PolledDescriptor(descriptor, .readable)]
        case .readableOrWritable(let descriptor): listener + [PolledDescriptor(descriptor, .readableOrWritable)]
        }
    }
}

/// The simulator's end of a simulated radio: the operations of `Radio`, and what a waiting thread needs.
///
/// Only the runtime's thread may use a port. In `service`, the port connects or accepts connections.
public protocol RadioPort: AnyObject {
    var state: RadioState { get }

    /// Sends one datagram. After the result `.busy`, `interest` asks to wait until the descriptor is writable.
    func send(_ datagram: Span<UInt8>) -> RadioOutcome

    /// Copies the next datagram into `buffer`, and returns its full length. Cuts a datagram that is longer than the buffer.
    /// Returns nil if there is none.
    func receive(into buffer: inout MutableSpan<UInt8>) -> Int?

    func disconnect()

    var interest: RadioInterest { get }

    /// Connects or accepts a connection, one step at a time. The board calls this after each wait and before it reads `state`.
    func service(at now: Instant)

    /// The traffic so far. Zero if the port does not count it.
    var traffic: RadioTraffic { get }

    /// Reports that the wearer acted or was asked a question, and so is looking at the watch. The panel does not tell that,
    /// because it is always on.
    func wearerActed(at now: Instant)
}

extension RadioPort {
    /// Zero: the port does not count its traffic.
    public var traffic: RadioTraffic { RadioTraffic() }

    /// Does nothing: the port cannot become faster.
    public func wearerActed(at now: Instant) {}
}
