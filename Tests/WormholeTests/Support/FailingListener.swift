import Synchronization
import Wormhole

/// A listener of a process without a free descriptor: every attempt to accept fails at once.
final class FailingListener: TransportListener {
    static let error = WormholeError.system(call: "accept", path: nil, .tooManyOpenFiles)

    private enum Life {
        case open(attempts: Int)
        case closed
    }

    private let life = Mutex(Life.open(attempts: 0))

    /// How often it was asked.
    var attempts: Int {
        life.withLock { life in
            guard case .open(let attempts) = life else { return 0 }
            return attempts
        }
    }

    func accept() async throws(WormholeError) -> any DatagramTransport {
        try life.withLock { life throws(WormholeError) in
            guard case .open(let attempts) = life else { throw .closed }
            life = .open(attempts: attempts + 1)
            throw FailingListener.error
        }
    }

    func close() { life.withLock { $0 = .closed } }
}
