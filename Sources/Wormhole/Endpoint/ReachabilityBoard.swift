import HostSystem
import Synchronization
import WatchLink

package final class ReachabilityBoard: Sendable {
    package init() {}

    private let entries = Mutex<[PeerIdentity: PeerReachability]>([:])
    private let changes = Broadcast<ReachabilityChange>()

    func reachability(of peer: PeerIdentity) -> PeerReachability {
        entries.withLock { $0[peer] }
            ?? .unreachable(PeerReachability.Unreachable(since: nil, reason: .neverConnected))
    }

    /// Returns a stream that begins with the reachability of every known peer. Each change follows.
    func listen() -> AsyncStream<ReachabilityChange> {
        entries.withLock { entries in
            let known = entries.sorted { $0.key < $1.key }
            return changes.listen(after: known.map { ReachabilityChange(peer: $0.key, reachability: $0.value) })
        }
    }

    func note(_ peer: PeerIdentity, saying hello: PeerHello, at now: WatchLink.Instant) -> ReachabilityChange {
        let reachable = PeerReachability.Reachable(since: now, lastHeard: now, hello: hello)
        return entries.withLock { publish(peer, .reachable(reachable), in: &$0) }
    }

    /// Records that a peer is unreachable. If it was unreachable before, changes only the reason. Returns the change; nil if
    /// the reason is the same as before.
    func note(_ peer: PeerIdentity, _ reason: UnreachableReason, at now: WatchLink.Instant) -> ReachabilityChange? {
        entries.withLock { entries in
            var since: WatchLink.Instant? = now
            if case .unreachable(let before) = entries[peer] {
                guard before.reason != reason else { return nil }
                since = before.since
            }
            return publish(
                peer, .unreachable(PeerReachability.Unreachable(since: since, reason: reason)), in: &entries)
        }
    }

    /// Limits the number of unreachable peers to `most`. Forgets the peers that have been unreachable the longest, and returns
    /// them. Without this limit, a program that connects under many identities could fill the memory.
    func forgetUnreachable(keeping most: Int) -> [PeerIdentity] {
        entries.withLock { entries in
            let since = entries.compactMap { peer, reachability -> (peer: PeerIdentity, since: WatchLink.Instant)? in
                guard case .unreachable(let end) = reachability, let since = end.since else { return nil }
                return (peer, since)
            }
            guard since.count > most else { return [] }
            let oldest = since.sorted { $0.since < $1.since }.prefix(since.count - most).map(\.peer)
            for peer in oldest { entries[peer] = nil }
            return oldest
        }
    }

    var peers: [PeerIdentity] { entries.withLock { Array($0.keys) } }

    func finish() { changes.finish() }

    /// Stores and sends a change. The caller holds the lock of `entries`, so every listener gets the changes in order.
    private func publish(
        _ peer: PeerIdentity, _ reachability: PeerReachability, in entries: inout [PeerIdentity: PeerReachability]
    ) -> ReachabilityChange {
        let change = ReachabilityChange(peer: peer, reachability: reachability)
        entries[peer] = reachability
        changes.send(change)
        return change
    }
}
