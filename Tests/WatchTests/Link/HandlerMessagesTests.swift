import Testing
import WatchLink

@testable import Watch

struct SettledMessagesTests {
    @Test func `the phone's word is told for each message once, in any order of its answers, and frees the place`() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 16)
        defer { memory.deallocate() }
        var arena = MemoryArena(memory)
        let messages = HandlerMessages(arena: &arena) { names in names.queued("lap", from: .watch, waiting: 4) }
        for sequence in 1...4 as ClosedRange<UInt32> {
            messages.fillOutgoing(Int(sequence) - 1, slot: 0, [0x07].span, sequence: sequence)
        }
        var rejected = RejectionList()
        rejected.append(Rejection(sequence: 2, reason: .refused))
        messages.settle(above: 0, Acknowledgement(queued: 2, latest: 0, rejected: rejected), knowsRejections: true)
        #expect(next(messages) == [.passed(number: 1, .applied), .passed(number: 2, .rejected(.refused))])
        messages.settle(above: 2, Acknowledgement(queued: 3, latest: 0), knowsRejections: false)
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

struct OwedFrameTests {
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)

    private func messages() -> HandlerMessages {
        var arena = MemoryArena(memory)
        return HandlerMessages(arena: &arena) { names in
            names.interactive("first", from: .watch)
            names.interactive("second", from: .watch)
            names.interactive("asked", from: .phone)
        }
    }

    @Test func `a question that has its number goes before one without, whatever their places`() {
        defer { memory.deallocate() }
        let messages = messages()
        let question = OwnQuestion(wish: .value, until: .start)
        messages.slots[0].state = .unsent(question, number: nil)
        messages.slots[1].state = .unsent(question, number: 1)
        let numbered = messages.owedFrame
        #expect(numbered == 1)
        messages.slots[1].state = .open(question, number: 1)
        let other = messages.owedFrame
        #expect(other == 0)
    }

    @Test func `thirty-two refusals wait, in their order, and one more is too many`() {
        defer { memory.deallocate() }
        var messages = messages()
        for number in 1...32 as ClosedRange<UInt32> {
            let isTaken = messages.refuse(ReplyHeader(number: number, status: .noListener))
            #expect(isTaken)
        }
        let isTaken = messages.refuse(ReplyHeader(number: 33, status: .noListener))
        #expect(!isTaken)
        for number in 1...32 as ClosedRange<UInt32> {
            let next = messages.nextRefusal?.number
            #expect(next == number)
            messages.dropRefusal()
        }
        let none = messages.nextRefusal == nil
        #expect(none)
    }
}
