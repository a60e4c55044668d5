import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct InputQueueTests {
    @Test func `Inputs are numbered and come out in order`() throws {
        let queue = try InputQueue()
        #expect(queue.isEmpty)
        let inputs = (1...40 as ClosedRange<Int8>).map { TimedInput(.crown(detents: $0), at: .start) }
        for (index, input) in inputs.enumerated() {
            #expect(queue.post(input) == InputNumber(UInt64(index) + 1))
        }
        #expect(queue.posted == InputNumber(40))
        #expect(queue.taken == InputNumber(0))
        for (index, input) in inputs.enumerated() {
            #expect(queue.next() == input)
            #expect(queue.taken == InputNumber(UInt64(index) + 1))
        }
        #expect(queue.next() == nil)
        #expect(queue.isEmpty)
    }
}
