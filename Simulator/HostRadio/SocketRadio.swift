import DeviceModel
import Watch
import WatchLink
import Wormhole

/// A simulated watch's radio on a Unix socket. It connects to the phone's process, and reconnects each time the channel ends.
///
/// It connects only to a process of the same user.
public final class SocketRadio: RadioPort {
    private enum Link {
        case down
        /// The channel has closed. The next call of `service` starts the pause before the next attempt to connect.
        case lost(pause: Microseconds)
        case resting(until: Instant)
        case up(RadioChannel)
    }

    /// The minimum time between two attempts to connect. A person does not notice it, and an attempt takes only a few
    /// microseconds.
    private static var retryInterval: Microseconds { .milliseconds(100) }

    private let path: String
    private var link = Link.down
    private var connections: UInt32 = 0
    private var delay: ReconnectDelay
    private let machine: any LinkClock
    /// The earliest time of the next attempt, on this machine's clock.
    private var earliest = Instant.start
    /// How long the radio waits, on the watch's clock, before it reads this machine's clock again. The wait grows until this
    /// machine's clock has reached `earliest`.
    private var patience = SocketRadio.retryInterval

    /// Creates a radio that connects to the socket at `path`.
    ///
    /// - Parameters:
    ///   - path: the path of the phone's socket.
    ///   - machine: this machine's clock, which the phone uses. The watch's clock may run a thousand times as fast, so the
    ///     radio limits its attempts to connect by both clocks.
    ///   - seed: varies the random pauses before attempts. Each watch needs a seed of its own.
    public init(
        path: String, machine: any LinkClock = SystemClock(), seed: UInt64 = .random(in: .min ... .max)
    ) {
        self.path = path
        self.machine = machine
        delay = ReconnectDelay(seed: seed)
    }

    /// The state of the radio: up while a phone is connected.
    public var state: RadioState {
        switch link {
        case .down, .lost, .resting: .down
        case .up(let channel): channel.state
        }
    }

    /// What the board waits for: events of the channel, or the time of the next attempt to connect.
    public var interest: RadioInterest {
        switch link {
        case .down, .lost: RadioInterest(.nothing, wakeAt: .start)
        case .resting(let end): RadioInterest(.nothing, wakeAt: end)
        case .up(let channel): RadioInterest(channel.watching)
        }
    }

    /// Sends one datagram. Returns `.refused` if no phone is connected.
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

    /// Copies the next datagram into `buffer`, and returns the datagram's full length, which can exceed the buffer's. Returns
    /// nil if no datagram has arrived.
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

    /// Closes the channel. `service` connects again after the pause that the link protocol requires.
    public func disconnect() {
        guard case .up(let channel) = link else { return }
        readFinalOutput(of: channel)
        channel.close()
        let pause = delay.next()
        earliest = machine.now + pause
        link = .lost(pause: pause)
    }

    /// Reads the datagrams that have already arrived. The last one may be the phone's reason for closing the channel, which
    /// decides how long the radio waits before it reconnects.
    private func readFinalOutput(of channel: RadioChannel) {
        var buffer = [UInt8](repeating: 0, count: LinkLimits.longestControlFrame)
        var bytes = buffer.mutableSpan
        while case .datagram(let count) = channel.receive(into: &bytes) {
            if count <= bytes.count { delay.carried(bytes.span.extracting(first: count)) }
        }
    }

    /// Connects if an attempt is due, without blocking.
    public func service(at now: Instant) {
        if case .lost(let pause) = link { link = .resting(until: now + pause) }
        switch link {
        case .up: return
        case .resting(let end) where end > now: return
        case .resting, .down, .lost: break
        }
        guard machine.now >= earliest else {
            // The speed of the watch's clock is unknown, so each wait for this machine's clock is longer than the previous
            // wait.
            patience = patience + Microseconds(patience.count / 4)
            link = .resting(until: now + patience)
            return
        }
        patience = Self.retryInterval
        earliest = machine.now + Self.retryInterval
        do throws(WormholeError) {
            // This call refuses a socket that a process of another user serves.
            let socket = try DatagramSocket.connect(toPath: path)
            connections += 1
            link = .up(RadioChannel(socket, connection: connections, maximumSDU: WatchLimits.largestSDU))
        } catch {
            link = .resting(until: now + Self.retryInterval)
        }
    }
}

struct RadioChannel {
    private let socket: DatagramSocket
    private let connection: UInt32
    private let maximumSDU: Int
    /// Whether the socket had no room for the datagram of the last `send`.
    private var awaitsRoom = false

    /// - Parameter maximumSDU: the maximum size, in bytes, of a datagram that the peer accepts.
    init(_ socket: DatagramSocket, connection: UInt32, maximumSDU: Int) {
        self.socket = socket
        self.connection = connection
        self.maximumSDU = maximumSDU
    }

    var state: RadioState { .up(connection: connection, maximumSDU: maximumSDU) }

    var watching: RadioInterest.Watching {
        guard let descriptor = socket.fileDescriptor else { return .nothing }
        return awaitsRoom ? .readableOrWritable(descriptor) : .readable(descriptor)
    }

    /// Sends one datagram. Returns nil if the channel has ended.
    mutating func send(_ datagram: Span<UInt8>) -> RadioOutcome? {
        do throws(WormholeError) {
            let isSent = try socket.send(datagram)
            awaitsRoom = !isSent
            return isSent ? .sent : .busy
        } catch {
            if case .datagramTooLong = error { return .refused }
            return nil
        }
    }

    /// Reads the next datagram. Any error of the system counts as the end of the channel.
    func receive(into buffer: inout MutableSpan<UInt8>) -> DatagramSocket.ReceiveOutcome {
        (try? socket.receive(into: &buffer)) ?? .closed
    }

    func close() { socket.close() }
}
