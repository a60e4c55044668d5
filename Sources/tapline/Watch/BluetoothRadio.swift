import BluetoothBridge
import DeviceModel
import Watch
import WatchLink
import Wormhole

/// A watch's radio made of a Bluetooth dongle: it waits for a phone, and takes the newest where a second one comes.
final class BluetoothRadio: RadioPort {
    private enum Channel {
        /// No phone is here.
        case down
        /// One is. A datagram that was refused as busy waits for room.
        case up(L2CAPChannel, connection: UInt32, Room)
    }

    /// Whether the socket took the last datagram.
    private enum Room {
        case free
        case awaited
    }

    /// How often it looks for a newer phone while one is here, in case the older one is gone without a word.
    private static var lookingPause: Microseconds { .milliseconds(250) }

    private let listener: L2CAPListener
    private var channel = Channel.down
    private var connections: UInt32 = 0
    private var nextLook = Instant.start

    /// A radio that phones reach through `listener`.
    init(_ listener: L2CAPListener) {
        self.listener = listener
    }

    var state: RadioState {
        switch channel {
        case .down: .down
        case .up(let channel, let connection, _):
            .up(connection: connection, maximumSDU: min(channel.largestDatagram, WatchLimits.largestSDU))
        }
    }

    var interest: RadioInterest {
        switch channel {
        case .down:
            listener.fileDescriptor.map { RadioInterest(.readable($0)) } ?? RadioInterest(.nothing)
        case .up(let channel, _, let room):
            switch (channel.socket.fileDescriptor, room) {
            case (nil, _): RadioInterest(.nothing, wakeAt: nextLook)
            case (let descriptor?, .free): RadioInterest(.readable(descriptor), wakeAt: nextLook)
            case (let descriptor?, .awaited): RadioInterest(.readableOrWritable(descriptor), wakeAt: nextLook)
            }
        }
    }

    func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        guard case .up(let channel, let connection, _) = channel else { return .refused }
        do throws(WormholeError) {
            switch try channel.socket.send(datagram) {
            case .sent:
                self.channel = .up(channel, connection: connection, .free)
                return .sent
            case .busy:
                self.channel = .up(channel, connection: connection, .awaited)
                return .busy
            }
        } catch {
            if case .datagramTooLong = error { return .refused }
            lose(channel)
            return .refused
        }
    }

    func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard case .up(let channel, _, _) = channel else { return nil }
        do throws(WormholeError) {
            switch try channel.socket.receive(into: &buffer) {
            case .datagram(let count), .truncated(let count): return count
            case .nothing: return nil
            case .closed: lose(channel)
            }
        } catch {
            lose(channel)
        }
        return nil
    }

    func disconnect() {
        guard case .up(let channel, _, _) = channel else { return }
        lose(channel)
    }

    func service(at now: Instant) {
        switch channel {
        case .down: break
        case .up:
            guard nextLook <= now else { return }
        }
        nextLook = now + Self.lookingPause
        // One that was refused for its keys leaves the others in the queue.
        while let arrival = try? listener.acceptWaiting() {
            if case .up(let older, _, _) = channel { older.close() }
            connections += 1
            channel = .up(arrival, connection: connections, .free)
        }
    }

    private func lose(_ channel: L2CAPChannel) {
        channel.close()
        self.channel = .down
    }
}
