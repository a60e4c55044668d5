import Logging
import WatchLink
import Wormhole

/// The host's end of the notification socket: reports the end of every `ChangeNotifier`'s connection.
final class ChangeListener: Sendable {
    private let listener: any TransportListener
    private let clock: any LinkClock
    private let logger: Logger

    init(_ listener: any TransportListener, clock: any LinkClock, logger: Logger) {
        self.listener = listener
        self.clock = clock
        self.logger = logger
    }

    /// Calls `rung` whenever a connection has ended, until `close()`.
    func listen(_ rung: @escaping @Sendable () async -> Void) async {
        await withDiscardingTaskGroup { group in
            while true {
                do throws(WormholeError) {
                    let visitor = try await listener.accept()
                    group.addTask {
                        await ChangeListener.waitUntilGone(visitor)
                        await rung()
                    }
                } catch {
                    if error == .closed { break }
                    logger.warning("a command could not connect: \(error)")
                    // Without a free descriptor the connection stays waiting; another attempt at once would fail as
                    // well.
                    if case .system = error { try? await clock.sleep(until: clock.now + .milliseconds(100)) }
                }
            }
            group.cancelAll()
        }
    }

    /// Accepts no more connections.
    func close() {
        listener.close()
    }

    /// Nothing is sent over the connection; what arrives is ignored.
    private static func waitUntilGone(_ visitor: any DatagramTransport) async {
        await withTaskCancellationHandler {
            while true {
                do throws(WormholeError) {
                    _ = try await visitor.receive()
                } catch {
                    if case .datagramTooLong = error { continue }
                    break
                }
            }
            visitor.close()
        } onCancel: {
            visitor.close()
        }
    }
}
