import HostSystem
import Watch
import WatchLink

/// What a board waits for on its radio: descriptors to poll, and a time.
public struct RadioInterest: Sendable {
    /// The descriptor that a board polls with poll(2), and the events that the board waits for.
    public enum Watching: Sendable, Equatable {
        /// The radio has no descriptor to poll now.
        case nothing
        /// The board waits until the descriptor is readable: a datagram or a connection has arrived, or the peer has
        /// hung up.
        case readable(CInt)
        /// The board waits until the descriptor is readable or writable. The radio is connecting, or `send` has returned
        /// `.busy`.
        case readableOrWritable(CInt)
    }

    /// The descriptor to poll, if there is one, and the events to wait for.
    public var watching: Watching
    /// A listening socket that the board polls too. The socket is readable when a phone connects. Nil if the radio
    /// accepts no connections now.
    public var listening: CInt?
    /// The time, on the watch's clock, when the board must call `service` even if no descriptor is ready. Nil if there is no
    /// such time.
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

/// A simulated watch's radio, as the board sees it. It has the operations of `Radio`, and tells the board's thread what
/// to wait for.
///
/// Only the thread that runs the watch may use a port. A port opens and accepts connections only in `service`.
public protocol RadioPort: AnyObject {
    var state: RadioState { get }

    /// Sends one datagram. After a result of `.busy`, `interest` tells the board to wait until the descriptor is
    /// writable.
    func send(_ datagram: Span<UInt8>) -> RadioOutcome

    /// Copies the next datagram into `buffer`, and returns the datagram's full length. A datagram longer than `buffer` is
    /// cut, and the rest is lost. Returns nil if no datagram has arrived.
    func receive(into buffer: inout MutableSpan<UInt8>) -> Int?

    func disconnect()

    var interest: RadioInterest { get }

    /// Does the port's work that is due at `now`, such as connecting, without blocking. The board calls this after each
    /// wait and before it reads `state`.
    func service(at now: Instant)

    /// The traffic so far. Zero if the port does not count it.
    var traffic: RadioTraffic { get }

    /// Tells the port that the wearer is looking at the watch, because the wearer has acted or was asked a question.
    /// The port may then request a faster connection.
    func wearerActed(at now: Instant)
}

extension RadioPort {
    /// Zero, for a port that does not count its traffic.
    public var traffic: RadioTraffic { RadioTraffic() }

    /// Does nothing, for a port that cannot make its connection faster.
    public func wearerActed(at now: Instant) {}
}
