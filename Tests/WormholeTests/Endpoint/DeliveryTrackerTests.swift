import Testing
import WatchLink

@testable import Wormhole

struct DeliveryTrackerTests {
    private let peer = PeerIdentity(rawValue: 7)

    private func copies(_ tracker: inout DeliveryTracker, _ sequences: ClosedRange<UInt32>) -> [MessageCopy] {
        sequences.map { sequence in
            let copy = MessageCopy(number: MessageNumber(rawValue: UInt64(sequence)))
            tracker.enterQueued(copy, at: QueuePlace(peer: peer, sequence: sequence, name: "m"))
            return copy
        }
    }

    @Test
    func
        `An acknowledgement ends the copies up to it, one that was rejected by its reason, whatever number it jumps over`()
    {
        var tracker = DeliveryTracker()
        let all = copies(&tracker, 1...10)
        var acknowledgement = Acknowledgement(queued: 2, latest: 0)
        _ = acknowledgement.rejected.append(Rejection(sequence: 2, reason: .refused))
        tracker.acknowledged(acknowledgement, by: peer)
        tracker.acknowledged(Acknowledgement(queued: 9, latest: 0), by: peer)
        tracker.acknowledged(Acknowledgement(queued: 4, latest: 0), by: peer)
        #expect(all.map(\.fate).prefix(3) == [.applied, .failed(.rejected(.refused)), .applied])
        #expect(all[3...8].allSatisfy { $0.fate == .applied } && all[9].fate == .queued)
        tracker.acknowledged(Acknowledgement(queued: .max, latest: 0), by: peer)
        #expect(all[9].fate == .applied)
    }

    @Test func `A copy that is entered after its acknowledgement has arrived is done at once`() {
        var tracker = DeliveryTracker()
        tracker.acknowledged(Acknowledgement(queued: 3, latest: 0), by: peer)
        #expect(copies(&tracker, 3...4).map(\.fate) == [.applied, .queued])
    }

    @Test func `A copy follows its message to a new sequence`() {
        var tracker = DeliveryTracker()
        let all = copies(&tracker, 1...6)
        tracker.acknowledged(Acknowledgement(queued: 4, latest: 0), by: peer)
        var positions = StreamPositions()
        positions.queuedIssued = 2
        tracker.resumed(peer, positions, renumbered: [5: 1, 6: 2])
        #expect(all.map(\.fate) == [.applied, .applied, .applied, .applied, .queued, .queued])
        tracker.acknowledged(Acknowledgement(queued: 1, latest: 0), by: peer)
        #expect(all[4].fate == .applied && all[5].fate == .queued)
    }
}
