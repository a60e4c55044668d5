@testable import Wormhole

extension Broadcast {
    /// The number of listeners.
    var listenerCount: Int { source.withLock { $0?.listeners.count ?? 0 } }
}
