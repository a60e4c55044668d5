import BluetoothBridge
import DeviceModel
import Watch
import WatchLink
import Wormhole

/// A watch's radio made of a Bluetooth adapter: phones connect to it. It talks to one at a time; one that connects while
/// another is connected takes its place, as a phone that comes back does before its old channel is known to be dead.
///
/// It asks for the pace of the link, as `ConnectionParameterPolicy` has it.
final class BluetoothRadio: RadioPort {
    private enum Link {
        /// No phone is connected.
        case down
        /// One is, over this channel.
        case up(RadioChannel, L2CAPChannel)
    }

    /// Whether connections are taken.
    private enum Attention {
        /// They are.
        case listening
        /// The system could not give one; they wait until this time.
        case resting(until: Instant)
    }

    /// Time between two attempts to accept after the system has failed, such as for want of descriptors: the connection that
    /// waits would make the thread try for ever otherwise.
    private static var restLength: Microseconds { .seconds(1) }

    private let listener: L2CAPListener
    private let note: (BluetoothError) -> Void
    private var link = Link.down
    private var attention = Attention.listening
    private var connections: UInt32 = 0
    private var pace = ConnectionParameterPolicy()
    /// When `service` was last called, which is just before anything is sent or received.
    private var now = Instant.start

    /// A radio whose phones connect to `listener`, which it uses alone.
    ///
    /// - Parameter note: told why a phone was refused, or the system did not accept it, or the link keeps its pace.
    init(_ listener: L2CAPListener, note: @escaping (BluetoothError) -> Void = { _ in }) {
        self.listener = listener
        self.note = note
    }

    var state: RadioState {
        switch link {
        case .down: .down
        case .up(let channel, _): channel.state
        }
    }

    var interest: RadioInterest {
        var interest = RadioInterest(.nothing)
        if case .up(let channel, _) = link { interest.watching = channel.watching }
        interest.wakeAt = pace.wakeAt
        switch attention {
        case .listening: interest.listening = listener.fileDescriptor
        case .resting(let end): interest.wakeAt = [end, pace.wakeAt].compactMap { $0 }.min()
        }
        return interest
    }

    func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        guard case .up(var channel, let air) = link else { return .refused }
        switch channel.send(datagram) {
        case .answered(let outcome):
            link = .up(channel, air)
            if outcome == .sent { carried(datagram) }
            return outcome
        case .over:
            disconnect()
            return .refused
        }
    }

    func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard case .up(let channel, _) = link else { return nil }
        switch channel.receive(into: &buffer) {
        case .datagram(let count):
            carried(buffer.span.extracting(0..<min(count, buffer.count)))
            return count
        case .nothing: return nil
        case .over:
            disconnect()
            return nil
        }
    }

    /// Gives the channel up; the phone may connect again.
    func disconnect() {
        guard case .up(let channel, _) = link else { return }
        channel.close()
        link = .down
        pace.closed()
    }

    func wearerActed(at now: Instant) {
        pace.wearerActed(at: now)
        askForPace(at: now)
    }

    func service(at now: Instant) {
        self.now = now
        acceptPhones(at: now)
        askForPace(at: now)
    }

    private func acceptPhones(at now: Instant) {
        if case .resting(let end) = attention, end > now { return }
        attention = .listening
        while case .listening = attention {
            do throws(BluetoothError) {
                guard let channel = try listener.acceptWaiting() else { return }
                take(channel)
            } catch {
                guard error != .ended else { return }
                note(error)
                if !error.isRefusal { attention = .resting(until: now + Self.restLength) }
            }
        }
    }

    private func take(_ channel: L2CAPChannel) {
        disconnect()
        connections += 1
        link = .up(
            RadioChannel(channel.socket, connection: connections, maximumSDU: channel.largestDatagram), channel)
        pace.opened(at: now)
    }

    // MARK: Pace

    /// Notes a frame that was sent or received.
    private func carried(_ frame: Span<UInt8>) {
        guard !frame.isEmpty else { return }
        pace.carried(FrameKind(rawValue: frame[0]), at: now)
        askForPace(at: now)
    }

    private func askForPace(at now: Instant) {
        guard case .up(_, let channel) = link, let wish = pace.wish(at: now) else { return }
        do throws(BluetoothError) {
            if let news = pace.asked(wish, at: now, try channel.ask(for: wish)) { note(news) }
        } catch {
            // Tried again with the next change, and not before: the link works at any pace.
            _ = pace.asked(wish, at: now, .asked)
            if error != .ended { note(error) }
        }
    }
}
