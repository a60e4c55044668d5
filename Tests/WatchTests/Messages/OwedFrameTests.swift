import Testing
import WatchLink

@testable import Watch

/// Which frame of an exchange goes next.
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
            let isTaken = messages.refuse(ReplyHeader(number: number, status: .nobody))
            #expect(isTaken)
        }
        let isTaken = messages.refuse(ReplyHeader(number: 33, status: .nobody))
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
