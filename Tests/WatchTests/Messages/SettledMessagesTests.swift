import Testing
import WatchLink

@testable import Watch

struct SettledMessagesTests {
    @Test func `The phone's word is told for each message once, in any order of its answers, and frees the place`() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 16)
        defer { memory.deallocate() }
        var arena = MemoryArena(memory)
        let messages = HandlerMessages(arena: &arena) { names in names.queued("lap", from: .watch, waiting: 4) }
        for sequence in 1...4 as ClosedRange<UInt32> {
            messages.fillOutgoing(Int(sequence) - 1, slot: 0, [0x07].span, sequence: sequence)
        }
        var rejected = RejectionList()
        rejected.append(Rejection(sequence: 2, reason: .refused))
        messages.settle(above: 0, Acknowledgement(queued: 2, latest: 0, rejected: rejected), .heard)
        #expect(next(messages) == [.passed(number: 1, .applied), .passed(number: 2, .rejected(.refused))])
        messages.settle(above: 2, Acknowledgement(queued: 3, latest: 0), .lost)
        #expect(next(messages) == [.passed(number: 3, .unknown)])
        #expect(next(messages).isEmpty)
        if case .outgoing(sequence: 4) = messages.outgoing[3].state {} else { Issue.record("the fourth waits") }
    }

    private func next(_ messages: borrowing HandlerMessages) -> [HandlerMessage.Event] {
        var events: [HandlerMessage.Event] = []
        while let message = messages.tellSettled() { events.append(message.event) }
        return events
    }
}
