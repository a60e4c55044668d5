import HostSystem
import Watch
import WatchLink

/// What a board waits for on behalf of a radio.
public struct RadioInterest: Sendable {
    /// The descriptor and events for poll(2).
    public enum Watching: Sendable, Equatable {
        /// No event can come from a descriptor now.
        case nothing
        /// Wait for a datagram, a connection or a hang-up.
        case readable(CInt)
        /// Also wait for room, because a datagram was refused as `.busy`, or a connection is being made.
        case readableOrWritable(CInt)
    }

    /// The descriptor and events for poll(2).
    public var watching: Watching
    /// A second descriptor that must be watched for being readable: a port at which the other side connects repeatedly. Nil for
    /// none.
    public var listening: CInt?
    /// The latest time of the next call of `service`, such as for another connection attempt; nil for never.
    public var wakeAt: Instant?

    /// Waits for `watching`, for connections at `listening`, and until `wakeAt`.
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

/// The host's side of a simulated radio: the operations of `Radio`, and what a waiting thread needs.
///
/// Only the runtime's thread uses a port. In `service` the port connects or accepts by itself.
public protocol RadioPort: AnyObject {
    var state: RadioState { get }

    /// Sends one datagram. After `.busy`, `interest` includes the descriptor becoming writable.
    func send(_ datagram: Span<UInt8>) -> RadioOutcome

    /// Copies the next datagram into `buffer` and returns its full length, or nil if none waits. Cuts a datagram that is longer
    /// than the buffer.
    func receive(into buffer: inout MutableSpan<UInt8>) -> Int?

    func disconnect()

    var interest: RadioInterest { get }

    /// Connects or accepts by itself, one step at a time. The board calls it after every wait and before it reads `state`.
    func service(at now: Instant)

    /// The traffic so far, if the port counts it.
    var traffic: RadioTraffic { get }

    /// Reports that the wearer acted or is asked a question, and so looks at the watch. Other watches report a lit screen, but
    /// this panel is never off.
    func wearerActed(at now: Instant)
}

extension RadioPort {
    /// Zero: the port does not count it.
    public var traffic: RadioTraffic { RadioTraffic() }

    /// Does nothing: the port cannot become faster.
    public func wearerActed(at now: Instant) {}
}
