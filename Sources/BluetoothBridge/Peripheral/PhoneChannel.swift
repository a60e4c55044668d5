import WatchLink
import Wormhole

/// A channel that a phone has opened to a watch: one of `L2CAPListener`, or a test's own.
package protocol PhoneChannel: DatagramTransport {
    /// The phone.
    var device: BluetoothPeer { get }

    /// Requests connection parameters, without waiting for them.
    ///
    /// - Throws: `.ended` where the channel has ended; `.noAdapter`; `.system`.
    func request(_ priority: ConnectionPriority) throws(BluetoothError) -> PriorityRequestOutcome
}

/// Where phones open channels.
package protocol PhoneChannelSource: Sendable {
    /// Waits for the next channel.
    ///
    /// - Throws: `.insecure` and `.tooNarrow` for a phone that was refused, after which the next call continues; `.ended` once
    ///   this is closed, or the task is cancelled; `.system`.
    func nextChannel() async throws(BluetoothError) -> any PhoneChannel

    /// Takes no more channels. Those that were taken stay open.
    func close()
}

extension L2CAPChannel: PhoneChannel {}

extension ConnectionParameterPolicy {
    /// Requests from a channel what it wishes now, if anything.
    ///
    /// - Returns: what the owner should know: the first refusal of the system, or an error other than that the channel has ended.
    package mutating func request(from channel: any PhoneChannel, at now: Instant) -> BluetoothError? {
        guard let wish = wish(at: now) else { return nil }
        do throws(BluetoothError) {
            return switch requested(wish, at: now, try channel.request(wish)) {
            case .nothing: nil
            case .firstRefusal: .parametersKept
            }
        } catch {
            // Requested again with the next change only: the link works with any parameters.
            _ = requested(wish, at: now, .requested)
            return error == .ended ? nil : error
        }
    }
}

extension L2CAPListener: PhoneChannelSource {
    package func nextChannel() async throws(BluetoothError) -> any PhoneChannel { try await next() }
}
