@testable import Wormhole

extension Broadcast {
    /// The number of listeners.
    var listenerCount: Int {
        source.withLock { source in
            switch source {
            case .open(_, let listeners): listeners.count
            case .finished: 0
            }
        }
    }
}
