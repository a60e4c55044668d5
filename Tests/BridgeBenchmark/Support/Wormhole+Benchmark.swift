import Logging
import Wormhole

extension Wormhole {
    /// The first peer that can be reached.
    func firstPeer() async throws -> PeerIdentity {
        for await change in reachabilityChanges() where change.reachability.isReachable { return change.peer }
        throw OtherProcessHasGone()
    }
}

extension Logger {
    /// A logger that says nothing.
    static let silent = Logger(label: "benchmark", factory: { _ in SwiftLogNoOpLogHandler() })
}
