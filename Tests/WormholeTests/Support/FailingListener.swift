import Synchronization
import Wormhole

final class FailingListener: TransportListener {
    static let error = WormholeError.system(call: "accept", path: nil, .tooManyOpenFiles)

    /// The number of calls of `accept`; nil after `close`.
    private let asked = Mutex<Int?>(0)

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
