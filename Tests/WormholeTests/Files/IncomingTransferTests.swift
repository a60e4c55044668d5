import Testing
import WatchLink

@testable import Wormhole

struct IncomingTransferTests {
    private func begun(_ length: UInt64, kept: UInt64 = 0) -> IncomingTransfer {
        var transfer = IncomingTransfer(length: length)
        #expect(transfer.arrived(at: 0, count: 1) == .brokenTransfer, "content without a request")
        #expect(transfer.prepared(having: kept) == .say(.resume(from: kept)))
        return transfer
    }

    @Test func `Content arrives in order, is written, and then judged`() {
        var transfer = begun(25)
        #expect(transfer.arrived(at: 0, count: 10) == nil && transfer.arrived(at: 10, count: 15) == nil)
        #expect(transfer.wrote(10) == .say(.progress(to: 10)))
        #expect(transfer.wrote(15) == .verify(.progress(to: 25)))
        #expect(transfer.isStored() == .say(.done) && transfer.hasEnded)
        #expect(transfer.isStored() == .none && transfer.isWrong() == .none && !transfer.end())
    }

    @Test func `Nothing to send is judged at once, and so is what has arrived whole on an earlier link`() {
        var empty = IncomingTransfer(length: 0)
        #expect(empty.prepared(having: 0) == .verify(.resume(from: 0)))
        var complete = IncomingTransfer(length: 9)
        #expect(complete.prepared(having: 9) == .verify(.resume(from: 9)))
    }

    @Test func `A chunk out of order, twice or beyond the length breaks the protocol`() {
        var transfer = begun(25)
        #expect(transfer.arrived(at: 1, count: 1) == .brokenTransfer)
        #expect(transfer.arrived(at: 0, count: 26) == .brokenTransfer)
        #expect(transfer.arrived(at: 0, count: 20) == nil)
        #expect(transfer.arrived(at: 0, count: 20) == .brokenTransfer)
        #expect(transfer.arrived(at: 20, count: 6) == .brokenTransfer)
        #expect(transfer.arrived(at: .max, count: 6) == .brokenTransfer)
        #expect(transfer.arrived(at: 20, count: 5) == nil)
    }

    @Test func `More than eight chunks that wait to be written are more than the window`() {
        var transfer = begun(100)
        for offset in 0..<8 as Range<UInt64> { #expect(transfer.arrived(at: offset, count: 1) == nil) }
        #expect(transfer.arrived(at: 8, count: 1) == .windowExceeded)
        #expect(transfer.wrote(1) == .say(.progress(to: 1)))
        #expect(transfer.arrived(at: 8, count: 1) == nil && transfer.arrived(at: 9, count: 1) == .windowExceeded)
    }

    @Test func `A wrong hash is a refusal; of what was partly kept, everything is asked for once more`() {
        var fresh = begun(10)
        _ = fresh.arrived(at: 0, count: 10)
        #expect(fresh.wrote(10) == .verify(.progress(to: 10)))
        #expect(fresh.isWrong() == .say(.refusal(.wrongHash)) && fresh.hasEnded)
        var kept = begun(10, kept: 4)
        _ = kept.arrived(at: 4, count: 6)
        #expect(kept.wrote(6) == .verify(.progress(to: 10)))
        #expect(kept.isWrong() == .say(.resume(from: 0)) && !kept.hasEnded)
        _ = kept.arrived(at: 0, count: 10)
        #expect(kept.wrote(10) == .verify(.progress(to: 10)))
        #expect(kept.isWrong() == .say(.refusal(.wrongHash)))
    }

    @Test func `Either side ends it before it is whole; then it is judged, and neither side can end it`() {
        var early = IncomingTransfer(length: 10)
        #expect(early.end() && early.hasEnded && early.prepared(having: 0) == .none)
        var judged = begun(10)
        _ = judged.arrived(at: 0, count: 10)
        _ = judged.wrote(10)
        #expect(!judged.end() && !judged.hasEnded)
    }
}
