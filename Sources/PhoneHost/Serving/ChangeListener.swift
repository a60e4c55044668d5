import Logging
import Synchronization
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
    /// The connections that have not ended, by their numbers, which are those of their beginnings.
    private let open = Mutex<[Int: any DatagramTransport]>([:])

    init(_ listener: any TransportListener, clock: any LinkClock, logger: Logger) {
        self.listener = listener
        self.clock = clock
        self.logger = logger
    }

    /// Calls `changed` whenever a connection has ended, until `close()`.
    func listen(_ changed: @escaping @Sendable () async -> Void) async {
        await withDiscardingTaskGroup { group in
            var trouble = AcceptTrouble()
            var accepted = 0
            while true {
                do throws(WormholeError) {
                    let connection = try await listener.accept()
                    _ = trouble.succeeded()
                    accepted += 1
                    enter(connection, accepted)
                    group.addTask { [accepted] in
                        await ChangeListener.waitForEnd(connection)
                        self.open.withLock { $0[accepted] = nil }
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

    private func enter(_ connection: any DatagramTransport, _ number: Int) {
        let oldest: (any DatagramTransport)? = open.withLock { open in
            open[number] = connection
            guard open.count > ChangeListener.mostConnections else { return nil }
            return open.keys.min().flatMap { open.removeValue(forKey: $0) }
        }
        oldest?.close()
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
