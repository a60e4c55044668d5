import DeviceModel
import Watch
import WatchLink
import Wormhole

/// A watch's radio made of a Unix socket: it connects to the phone's host, and connects again whenever the channel is
/// lost.
///
/// Only a host that runs as the same user is accepted.
public final class SocketRadio: RadioPort {
    private enum Link {
        /// Not connected; the next `service` makes an attempt.
        case down
        /// The channel is gone; the next attempt is due after this pause.
        case lost(pause: Microseconds)
        /// The last attempt failed, or the pause has begun; the next attempt is due at this time.
        case resting(until: Instant)
        case up(RadioChannel)
    }

    /// Time between two attempts to connect: short against what a person notices, long against the few microseconds
    /// that one takes.
    private static var retryInterval: Microseconds { .milliseconds(100) }

    private let path: String
    private var link = Link.down
    private var connections: UInt32 = 0
    private var delay: ReconnectDelay
    private let machine: any LinkClock
    /// The next attempt is not made before this time of the machine.
    private var earliest = Instant.start
    /// How long the watch's time goes on before the machine's is looked at again.
    private var patience = SocketRadio.retryInterval

    /// A radio that connects to the socket at `path`.
    ///
    /// - Parameters:
    ///   - machine: the phone's time. The pause before an attempt to connect passes on it too, because the watch's own time
    ///     may go a thousand times as fast.
    ///   - seed: randomness for that pause, another for every watch.
    public init(
        path: String, machine: any LinkClock = SystemClock(), seed: UInt64 = .random(in: .min ... .max)
    ) {
        self.path = path
        self.machine = machine
        delay = ReconnectDelay(seed: seed)
    }

    /// The state that the watch sees: up while a phone is connected.
    public var state: RadioState {
        switch link {
        case .down, .lost, .resting: .down
        case .up(let channel): channel.state
        }
    }

    /// What the board waits for: the channel, and what leads to the next one.
    public var interest: RadioInterest {
        switch link {
        case .down, .lost: RadioInterest(.nothing, wakeAt: .start)
        case .resting(let end): RadioInterest(.nothing, wakeAt: end)
        case .up(let channel): RadioInterest(channel.watching)
        }
    }

    /// Sends one datagram; refused while no phone is connected.
    public func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        guard case .up(var channel) = link else { return .refused }
        guard let outcome = channel.send(datagram) else {
            disconnect()
            return .refused
        }
        link = .up(channel)
        if outcome == .sent { delay.carried(datagram) }
        return outcome
    }

    /// Copies the next datagram into `buffer` and returns its full length; nil when none waits.
    public func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard case .up(let channel) = link else { return nil }
        switch channel.receive(into: &buffer) {
        case .datagram(let count), .truncated(let count):
            delay.carried(buffer.span.extracting(first: min(count, buffer.count)))
            return count
        case .nothing: return nil
        case .closed:
            disconnect()
            return nil
        }
    }

    /// Closes the channel; `service` connects again after the pause that the protocol requires.
    public func disconnect() {
        guard case .up(let channel) = link else { return }
        readFinalOutput(of: channel)
        channel.close()
        let pause = delay.next()
        earliest = machine.now + pause
        link = .lost(pause: pause)
    }

    /// A phone that closes the channel may have sent its reason, after datagrams that the watch has not read.
    private func readFinalOutput(of channel: RadioChannel) {
        var buffer = [UInt8](repeating: 0, count: LinkLimits.longestControlFrame)
        var bytes = buffer.mutableSpan
        while case .datagram(let count) = channel.receive(into: &bytes) {
            if count <= bytes.count { delay.carried(bytes.span.extracting(first: count)) }
        }
    }

    /// Makes progress with connecting. It does not block.
    public func service(at now: Instant) {
        if case .lost(let pause) = link { link = .resting(until: now + pause) }
        switch link {
        case .up: return
        case .resting(let end) where end > now: return
        case .resting, .down, .lost: break
        }
        guard machine.now >= earliest else {
            // Longer each time: it is not known how fast the watch's time goes.
            patience = patience + Microseconds(patience.count / 4)
            link = .resting(until: now + patience)
            return
        }
        patience = Self.retryInterval
        earliest = machine.now + Self.retryInterval
        do throws(WormholeError) {
            // A socket of this name that another user made is refused.
            let socket = try DatagramSocket.connect(toPath: path)
            connections += 1
            link = .up(RadioChannel(socket, connection: connections, maximumSDU: WatchLimits.largestSDU))
        } catch {
            link = .resting(until: now + Self.retryInterval)
        }
    }
}

/// One connection of a radio that is made of sockets.
struct RadioChannel {
    /// Whether the socket has room for a datagram.
    private enum Room {
        /// It accepted the last one.
        case free
        /// It refused the last one as busy.
        case awaited
    }

    private let socket: DatagramSocket
    private let connection: UInt32
    private let maximumSDU: Int
    private var room = Room.free

    /// The channel number `connection`, whose peer accepts datagrams of up to `maximumSDU` bytes.
    init(_ socket: DatagramSocket, connection: UInt32, maximumSDU: Int) {
        self.socket = socket
        self.connection = connection
        self.maximumSDU = maximumSDU
    }

    var state: RadioState { .up(connection: connection, maximumSDU: maximumSDU) }

    /// After a datagram was refused as busy, also room for the next.
    var watching: RadioInterest.Watching {
        switch (socket.fileDescriptor, room) {
        case (nil, _): .nothing
        case (let descriptor?, .free): .readable(descriptor)
        case (let descriptor?, .awaited): .readableOrWritable(descriptor)
        }
    }

    /// Nil if the channel has ended.
    mutating func send(_ datagram: Span<UInt8>) -> RadioOutcome? {
        do throws(WormholeError) {
            switch try socket.send(datagram) {
            case .sent:
                room = .free
                return .sent
            case .busy:
                room = .awaited
                return .busy
            }
        } catch {
            if case .datagramTooLong = error { return .refused }
            return nil
        }
    }

    /// Every error of the system ends the channel.
    func receive(into buffer: inout MutableSpan<UInt8>) -> DatagramSocket.ReceiveOutcome {
        (try? socket.receive(into: &buffer)) ?? .closed
    }

    func close() { socket.close() }
}
