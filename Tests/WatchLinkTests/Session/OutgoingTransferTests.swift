import Testing
import WatchLink

struct OutgoingTransferTests {
    private func offered(_ length: UInt64, chunk: Int = 10) -> OutgoingTransfer {
        var transfer = OutgoingTransfer(length: length, chunk: chunk)
        #expect(transfer.next(at: .start) == .offer)
        transfer.sent(.offer)
        #expect(transfer.next(at: .start) == nil && !transfer.isDelivered)
        return transfer
    }

    private func sendAll(_ transfer: inout OutgoingTransfer) -> Int {
        var count = 0
        while let step = transfer.next(at: .start) {
            transfer.sent(step)
            count += 1
        }
        return count
    }

    @Test(arguments: [(513, 8), (512, 2)])
    func `It sends eight chunks beyond what is written, or two that are short, and the last as short as it is`(
        chunk: Int, most: Int
    ) {
        let length = chunk * (most + 1) + 5
        var transfer = OutgoingTransfer(length: UInt64(length), chunk: chunk)
        transfer.sent(.offer)
        #expect(transfer.resumed(from: 0) == nil)
        #expect(transfer.next(at: .start) == .chunk(at: 0, count: chunk))
        #expect(sendAll(&transfer) == most && transfer.next(at: .start) == nil)
        let sent = UInt64(chunk * most)
        #expect(transfer.progressed(to: UInt64(chunk)) == nil)
        #expect(transfer.next(at: .start) == .chunk(at: sent, count: chunk))
        #expect(transfer.progressed(to: sent) == nil)
        #expect(sendAll(&transfer) == 2)
        #expect(transfer.finished() == nil && !transfer.isDelivered)
        #expect(transfer.progressed(to: UInt64(length)) == nil && transfer.isDelivered)
        // An older offset that comes later changes nothing.
        #expect(transfer.progressed(to: 20) == nil && transfer.isDelivered)
    }

    @Test func `It goes on from what the receiver has, also where that is all of it or nothing at all`() {
        var later = offered(95)
        #expect(later.resumed(from: 63) == nil && later.next(at: .start) == .chunk(at: 63, count: 10))
        var whole = offered(95)
        #expect(
            whole.resumed(from: 95) == nil && whole.next(at: .start) == nil && whole.isDelivered
                && whole.finished() == nil)
        var empty = offered(0)
        #expect(
            empty.resumed(from: 0) == nil && empty.next(at: .start) == nil && empty.isDelivered
                && empty.finished() == nil)
    }

    @Test func `The receiver may ask again once, from the beginning, when it has everything`() {
        var transfer = offered(20)
        #expect(transfer.resumed(from: 10) == nil)
        #expect(transfer.resumed(from: 0) == .brokenTransfer)
        #expect(sendAll(&transfer) == 1)
        var other = transfer
        #expect(other.resumed(from: 10) == .brokenTransfer)
        #expect(transfer.resumed(from: 0) == nil && transfer.next(at: .start) == .chunk(at: 0, count: 10))
        #expect(sendAll(&transfer) == 2 && transfer.resumed(from: 0) == .brokenTransfer)
    }

    @Test func `What the receiver cannot know breaks the protocol`() {
        var unsent = OutgoingTransfer(length: 20, chunk: 10)
        #expect(unsent.resumed(from: 0) == .brokenTransfer && unsent.progressed(to: 0) == .brokenTransfer)
        #expect(unsent.finished() == .brokenTransfer)
        var transfer = offered(20)
        #expect(transfer.progressed(to: 0) == .brokenTransfer && transfer.finished() == .brokenTransfer)
        #expect(transfer.resumed(from: 21) == .brokenTransfer)
        #expect(transfer.resumed(from: 0) == nil)
        transfer.sent(.chunk(at: 0, count: 10))
        #expect(transfer.progressed(to: 11) == .brokenTransfer && transfer.finished() == .brokenTransfer)
        #expect(transfer.progressed(to: 10) == nil)
    }

    @Test func `A receiver that is busy is offered it again after a pause that doubles, or when it may be less busy`() {
        var transfer = offered(20)
        var now = WatchLink.Instant.start
        for seconds in [1, 2, 4, 8, 16, 30, 30] as [UInt64] {
            transfer.refusedBusy(at: now)
            let due = now + Microseconds(seconds * 1_000_000)
            #expect(transfer.due == due && !transfer.isFirstOffer)
            let before = WatchLink.Instant(microseconds: due.microseconds - 1)
            #expect(transfer.next(at: before) == nil && transfer.next(at: due) == .offer)
            now = due
            transfer.sent(.offer)
            #expect(transfer.due == nil && transfer.next(at: now) == nil)
        }
        transfer.refusedBusy(at: now)
        transfer.mayTryAgain()
        #expect(transfer.next(at: now) == .offer)
        transfer.sent(.offer)
        #expect(transfer.resumed(from: 0) == nil && transfer.next(at: now) == .chunk(at: 0, count: 10))
    }

    @Test func `A frame that was not due changes nothing`() {
        var transfer = offered(20)
        transfer.sent(.chunk(at: 0, count: 10))
        #expect(transfer.phase == .offered)
        _ = transfer.resumed(from: 0)
        transfer.sent(.chunk(at: 10, count: 10))
        transfer.sent(.offer)
        #expect(transfer.next(at: .start) == .chunk(at: 0, count: 10))
    }
}
