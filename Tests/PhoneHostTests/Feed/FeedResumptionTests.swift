import Testing
import WatchLink

@testable import PhoneHost

@Suite struct FeedResumptionTests {
    private func positions(issued: UInt32 = 9, acknowledged: UInt32 = 5, latest: UInt32 = 4) -> StreamPositions {
        var positions = StreamPositions()
        positions.queuedIssued = issued
        positions.queuedAcknowledged = acknowledged
        positions.latestIssued = latest
        return positions
    }

    private func decide(
        knows: UInt32?, queued: UInt32 = 0, latest: UInt32 = 0, epoch: UInt32? = 50,
        positions: StreamPositions? = nil
    ) -> FeedResumption {
        var hello = Hello(role: .watch, identity: 1, epoch: 3, limits: LinkLimits(largestSDU: 512))
        (hello.knownEpoch, hello.queuedApplied, hello.latestApplied) = (knows, queued, latest)
        return FeedResumption(hello, epoch: epoch, positions: positions ?? self.positions()) { past in
            past == 40 ? StreamRun(epoch: 40, queued: 7, latest: 2) : nil
        }
    }

    @Test func `a claim within what was issued and not below what was acknowledged is valid`() {
        for applied in 5...9 as ClosedRange<UInt32> {
            #expect(
                decide(knows: 50, queued: applied, latest: 4)
                    == .resume(applied: Acknowledgement(queued: applied, latest: 4)))
        }
        #expect(decide(knows: 40, queued: 7, latest: 2) == .resume(applied: Acknowledgement(queued: 7, latest: 2)))
    }

    @Test func `every other claim starts over, for its own reason`() {
        #expect(decide(knows: 50, queued: 10) == .startOver(.restoredPhone))
        #expect(decide(knows: 50, queued: 9, latest: 5) == .startOver(.restoredPhone))
        #expect(decide(knows: 50, queued: 4) == .startOver(.restoredWatch))
        #expect(decide(knows: 40, queued: 8) == .startOver(.restoredPhone), "more than its epoch had at its end")
        #expect(decide(knows: 40, queued: 7, latest: 3) == .startOver(.restoredPhone))
        #expect(decide(knows: 41, queued: 7) == .startOver(.unknownEpoch))
        #expect(decide(knows: nil) == .startOver(.forgetfulWatch))
        #expect(decide(knows: nil, positions: positions(acknowledged: 0)) == .startOver(.newWatch))
        #expect(decide(knows: 50, epoch: nil) == .startOver(.newWatch))
        let half = FeedResumption.lastNumber
        #expect(
            decide(knows: 50, queued: half, positions: positions(issued: half)) == .startOver(.numbersUsedUp))
    }

    @Test func `a watch's run is the present one, a new one, or an earlier one that has come back`() {
        func arrival(present: StreamRun?, former: StreamRun? = nil, newest: UInt32 = 0) -> WatchReturn {
            var hello = Hello(role: .watch, identity: 1, epoch: 3, limits: LinkLimits(largestSDU: 512))
            (hello.queuedFloor, hello.queuedIssued) = (6, 6)
            return WatchReturn(
                hello, present: present, former: former, floor: WatchFloor(6, origin: .unknown, newest: newest))
        }
        let known = StreamRun(epoch: 3, queued: 6)
        let other = StreamRun(epoch: 2, queued: 6)
        #expect(arrival(present: known, newest: 6).run == .present)
        #expect(arrival(present: known, newest: 6).applied == known)
        #expect(arrival(present: other, newest: 6).run == .new)
        #expect(arrival(present: other, newest: 6).applied == StreamRun(epoch: 3))
        #expect(arrival(present: other, former: known, newest: 6).run == .former)
        #expect(arrival(present: other, former: known, newest: 6).applied == known)
        #expect(arrival(present: other, newest: 4).lost == 2)
        #expect(arrival(present: nil).lost == 6)
        #expect(arrival(present: known, newest: 9).lost == 0)
    }

    @Test func `what is lost is told by the run that issued it, whatever its number was used for before`() {
        func lost(_ floor: UInt32, _ origin: WatchFloor.Origin, newest: UInt32) -> UInt32 {
            WatchFloor(floor, origin: origin, newest: newest).lost
        }
        #expect(lost(6, .applied(upTo: 6), newest: 6) == 0)
        #expect(lost(6, .applied(upTo: 9), newest: 9) == 0)
        #expect(lost(6, .applied(upTo: 4), newest: 4) == 2)
        // Of another lineage, which an older copy of the flash has ended, the number was applied.
        #expect(lost(6, .applied(upTo: 0), newest: 6) == 1)
        #expect(lost(6, .applied(upTo: 5), newest: 40) == 1)
        #expect(lost(0, .unknown, newest: 0) == 0)
    }
}
