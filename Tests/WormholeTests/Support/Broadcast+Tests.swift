@testable import Wormhole

extension Broadcast {
    var listenerCount: Int { source.withLock { $0?.listeners.count ?? 0 } }
}
