import Synchronization
import Wormhole

/// A listener of a process without a free descriptor: every attempt to accept fails at once.
final class FailingListener: TransportListener {
    static let error = WormholeError.system(call: "accept", path: nil, .tooManyOpenFiles)

    /// How often it was asked; nil once it is closed.
    private let asked = Mutex<Int?>(0)

    /// How often it was asked.
    var attempts: Int { asked.withLock { $0 ?? 0 } }

    func accept() async throws(WormholeError) -> any DatagramTransport {
        let isOpen = asked.withLock { asked in
            asked? += 1
            return asked != nil
        }
        throw isOpen ? FailingListener.error : .closed
    }

    func close() { asked.withLock { $0 = nil } }
}
