import DeviceModel
import Watch
import WatchLink
import Wormhole

/// A watch's radio on a Unix socket. It connects to the phone's host, and reconnects after each loss of the channel.
///
/// It accepts only a host of the same user.
public final class SocketRadio: RadioPort {
    private enum Link {
        /// Not connected; the next call of `service` tries to connect.
        case down
        /// The channel is lost. The next attempt is due after this pause.
        case lost(pause: Microseconds)
        /// The last attempt failed, or the pause has begun. The next attempt is due at this time.
        case resting(until: Instant)
        case up(RadioChannel)
    }

    /// The time between two attempts to connect: too short for a person to notice, but long compared with the few microseconds of
    /// an attempt.
    private static var retryInterval: Microseconds { .milliseconds(100) }

    private let path: String
    private var link = Link.down
    private var connections: UInt32 = 0
    private var delay: ReconnectDelay
    private let machine: any LinkClock
    /// The earliest machine time of the next attempt.
    private var earliest = Instant.start
    /// The watch's time until the next check of the machine's time.
    private var patience = SocketRadio.retryInterval

    /// A radio that connects to the socket at `path`.
    ///
    /// - Parameters:
    ///   - path: the path of the phone's socket.
    ///   - machine: the phone's clock. The pause before an attempt passes on this clock too, because the watch's clock may go a
    ///     thousand times as fast.
    ///   - seed: randomness for that pause, different for each watch.
    public init(
        path: String, machine: any LinkClock = SystemClock(), seed: UInt64 = .random(in: .min ... .max)
    ) {
        self.path = path
        self.machine = machine
        delay = ReconnectDelay(seed: seed)
    }

    /// The watch's view of the radio: up while a phone is connected.
    public var state: RadioState {
        switch link {
        case .down, .lost, .resting: .down
        case .up(let channel): channel.state
        }
    }

    /// What the board waits for: the channel, or the next attempt to connect.
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

    /// Copies the next datagram into `buffer` and returns its full length; nil if none waits.
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

    /// Closes the channel. `service` connects again after the protocol's pause.
    public func disconnect() {
        guard case .up(let channel) = link else { return }
        readFinalOutput(of: channel)
        channel.close()
        let pause = delay.next()
        earliest = machine.now + pause
        link = .lost(pause: pause)
    }

    /// Reads the reason that a phone may have sent before it closed the channel, after datagrams that the watch has not read.
    private func readFinalOutput(of channel: RadioChannel) {
        var buffer = [UInt8](repeating: 0, count: LinkLimits.longestControlFrame)
        var bytes = buffer.mutableSpan
        while case .datagram(let count) = channel.receive(into: &bytes) {
            if count <= bytes.count { delay.carried(bytes.span.extracting(first: count)) }
        }
    }

    /// Continues to connect, without blocking.
    public func service(at now: Instant) {
        if case .lost(let pause) = link { link = .resting(until: now + pause) }
        switch link {
        case .up: return
        case .resting(let end) where end > now: return
        case .resting, .down, .lost: break
        }
        guard machine.now >= earliest else {
            // Each wait is longer, because the speed of the watch's time is unknown.
            patience = patience + Microseconds(patience.count / 4)
            link = .resting(until: now + patience)
            return
        }
        patience = Self.retryInterval
        earliest = machine.now + Self.retryInterval
        do throws(WormholeError) {
            // Refuses a socket of this name that another user made.
            let socket = try DatagramSocket.connect(toPath: path)
            connections += 1
            link = .up(RadioChannel(socket, connection: connections, maximumSDU: WatchLimits.largestSDU))
        } catch {
            link = .resting(until: now + Self.retryInterval)
        }
    }
}

struct RadioChannel {
    /// Whether the socket has room for a datagram.
    private enum Room {
        case free
        case awaited
    }

    private let socket: DatagramSocket
    private let connection: UInt32
    private let maximumSDU: Int
    private var room = Room.free

    /// Channel number `connection`, whose peer accepts datagrams of up to `maximumSDU` bytes.
    init(_ socket: DatagramSocket, connection: UInt32, maximumSDU: Int) {
        self.socket = socket
        self.connection = connection
        self.maximumSDU = maximumSDU
    }

    var state: RadioState { .up(connection: connection, maximumSDU: maximumSDU) }

    /// After a refusal as busy, also waits for room for the next datagram.
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
            let isSent = try socket.send(datagram)
            room = isSent ? .free : .awaited
            return isSent ? .sent : .busy
        } catch {
            if case .datagramTooLong = error { return .refused }
            return nil
        }
    }

    /// Receives a datagram. Every error of the system ends the channel.
    func receive(into buffer: inout MutableSpan<UInt8>) -> DatagramSocket.ReceiveOutcome {
        (try? socket.receive(into: &buffer)) ?? .closed
    }

    func close() { socket.close() }
}
