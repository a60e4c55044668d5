import HostSystem
import Watch
import WatchLink

/// What a board has to wait for on behalf of a radio.
public struct RadioInterest: Sendable {
    /// What poll(2) is to watch.
    public enum Watching: Sendable, Equatable {
        /// No event can come from a descriptor at the moment.
        case nothing
        /// A datagram or a connection, or a hang-up.
        case readable(CInt)
        /// Also room, because a datagram was refused as `.busy` or a connection is on its way.
        case readableOrWritable(CInt)
    }

    /// What poll(2) is to watch.
    public var watching: Watching
    /// A second descriptor to watch for being readable in any case: that of a port to which the other side connects,
    /// again and again. Nil for none.
    public var listening: CInt?
    /// When to call `service` at the latest, such as to try a connection again; nil for never.
    public var wakeAt: Instant?

    /// An interest in `watching`, in connections that come in at `listening`, and in being called at `wakeAt`.
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

/// The host's side of a simulated radio: what `Radio` asks for, and what a waiting thread needs.
///
/// Only the runtime's thread uses a port. It goes on connecting, or accepting, by itself, in `service`.
public protocol RadioPort: AnyObject {
    var state: RadioState { get }

    /// Sends one datagram. After `.busy`, `interest` includes the descriptor becoming writable.
    func send(_ datagram: Span<UInt8>) -> RadioOutcome

    /// Copies the next datagram into `buffer` and returns its full length, or nil if none waits. What is longer than the
    /// buffer is cut.
    func receive(into buffer: inout MutableSpan<UInt8>) -> Int?

    func disconnect()

    var interest: RadioInterest { get }

    /// Continues connecting, which the port does by itself. The board calls it after every wait and before it reads
    /// `state`.
    func service(at now: Instant)

    /// What it has carried so far, as far as it counts that.
    var traffic: RadioTraffic { get }

    /// The wearer acted or is asked something, so the watch is looked at. The panel is never off, so this stands for
    /// what a lit screen means on other watches.
    func wearerActed(at now: Instant)
}

extension RadioPort {
    /// Nothing that was counted.
    public var traffic: RadioTraffic { RadioTraffic() }

    /// Takes no notice of it: there is nothing to be quicker at.
    public func wearerActed(at now: Instant) {}
}
