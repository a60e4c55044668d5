import Logging
import WatchLink
import Wormhole

/// The host's end of the notification socket: reports the end of every `ChangeNotifier`'s connection.
final class ChangeListener: Sendable {
    /// The most connections at a time. Of more, the oldest is ended, as if its change had been made: whoever waits takes no
    /// descriptor from the watches.
    static let mostConnections = 64

    private let listener: any TransportListener
    private let clock: any LinkClock
    private let logger: Logger

    init(_ listener: any TransportListener, clock: any LinkClock, logger: Logger) {
        self.listener = listener
        self.clock = clock
        self.logger = logger
    }

    /// Calls `changed` whenever a connection has ended, until `close()`.
    func listen(_ changed: @escaping @Sendable () async -> Void) async {
        await withDiscardingTaskGroup { group in
            var trouble = AcceptTrouble()
            var newest: [any DatagramTransport] = []
            while true {
                do throws(WormholeError) {
                    let connection = try await listener.accept()
                    _ = trouble.succeeded()
                    if newest.count == ChangeListener.mostConnections { newest.removeFirst().close() }
                    newest.append(connection)
                    group.addTask {
                        await ChangeListener.waitForEnd(connection)
                        await changed()
                    }
                } catch {
                    if error == .closed { break }
                    let (pause, isNews) = trouble.failed(error, at: clock.now)
                    if isNews { logger.warning("a command could not connect: \(error)") }
                    try? await clock.sleep(until: clock.now + pause)
                }
            }
            group.cancelAll()
        }
    }

    func close() {
        listener.close()
    }

    /// Nothing is sent over the connection; what arrives is ignored.
    private static func waitForEnd(_ connection: any DatagramTransport) async {
        await withTaskCancellationHandler {
            while true {
                do throws(WormholeError) {
                    _ = try await connection.receive()
                } catch {
                    if case .datagramTooLong = error { continue }
                    break
                }
            }
            connection.close()
        } onCancel: {
            connection.close()
        }
    }
}
