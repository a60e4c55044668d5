import WatchLink

/// The earlier runs of an endpoint and of its peer, as a store remembers them.
struct PeerRuns: Codable, Sendable {
    /// A run: its epoch and the highest numbers of it.
    struct Run: Codable, Sendable {
        let epoch: UInt32
        var queued: UInt32
        var latest: UInt32
    }

    /// The first queued message that was issued in a run of ours.
    struct Origin: Codable, Sendable {
        let epoch: UInt32
        let first: UInt32
    }

    /// The most past runs of ours, and former ones of the peer, that are remembered.
    static let (mostPast, mostFormer) = (64, 1_024)

    /// Our runs but the present one, with what had been issued at their ends, the oldest first.
    private(set) var past: [Run] = []
    /// The peer's runs but the present one, with what was applied of each, the oldest first.
    private(set) var former: [Run] = []
    /// The runs whose messages may still be in the queue, the oldest first.
    private(set) var origins: [Origin] = []

    /// A new run of ours begins after `ended`. What it issues follows the sequence that `ended` has.
    mutating func begin(_ epoch: UInt32, after ended: Run, acknowledged: UInt32) {
        past = past.filter { $0.epoch != ended.epoch }.suffix(PeerRuns.mostPast - 1) + [ended]
        if origins.isEmpty { origins = [Origin(epoch: ended.epoch, first: 1)] }
        origins.append(Origin(epoch: epoch, first: ended.queued + 1))
        while origins.count > 1, origins[1].first <= acknowledged + 1 { origins.removeFirst() }
    }

    /// What had been issued in a past run of ours; nil where it is not remembered.
    func end(of epoch: UInt32) -> Run? { past.first { $0.epoch == epoch } }

    /// The run of ours in which a message of the queue was issued; nil for the present one.
    func origin(of sequence: UInt32) -> UInt32? {
        guard let origin = origins.last(where: { $0.first <= sequence }), origin.epoch != origins.last?.epoch else {
            return nil
        }
        return origin.epoch
    }

    /// What was applied of a former run of the peer.
    func former(_ epoch: UInt32) -> Run? { former.first { $0.epoch == epoch } }

    /// Notes what was applied of a run of the peer that is not the present one.
    mutating func remember(_ run: Run) {
        former = former.filter { $0.epoch != run.epoch }.suffix(PeerRuns.mostFormer - 1) + [run]
    }

    /// Our runs have no meaning any more.
    mutating func forgetOurs() {
        (past, origins) = ([], [])
    }

    mutating func forgetFormer(_ epoch: UInt32) {
        former.removeAll { $0.epoch == epoch }
    }
}
