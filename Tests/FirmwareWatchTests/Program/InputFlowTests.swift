import DeviceModel
import Testing
import Watch
import WatchLink

@testable import FirmwareWatch

struct InputFlowTests {
    @Test func `there is room for twelve`() {
        var flow = InputFlow()
        var sent = 0
        while flow.hasRoom, sent < 100 {
            flow.send()
            sent += 1
        }
        #expect(sent == 12)
        flow.handle(1)
        #expect(flow.hasRoom)
        #expect(flow.handled == InputNumber(1))
    }

    @Test func `what there is room for fits the ring of the board's bench line`() throws {
        var largest = 0
        for command in [
            BenchCommand.input(.touch(x: .min, y: .max)), .input(.lifted(x: .max, y: .min)),
            .input(.crown(detents: .min)),
        ] {
            largest = max(largest, try wireSize(command))
        }
        let go = try wireSize(.go(now: Instant(microseconds: .max), radioBytes: .max))
        #expect(Int(InputFlow.mostOutstanding) * largest + (try wireSize(.describe)) + go <= 256)
    }

    private func wireSize(_ command: BenchCommand) throws -> Int {
        SerialFrame.largestWireSize(payload: command.payload.count)
    }

    @Test func `a count says which inputs it has more than the one before`() {
        var flow = InputFlow()
        for _ in 0..<5 { flow.send() }
        #expect(flow.handle(3) == InputNumber(1)...InputNumber(3))
        #expect(flow.handle(3) == nil)
        #expect(flow.handle(4) == InputNumber(4)...InputNumber(4))
        #expect(flow.handle(9) == nil)
    }

    @Test func `a count of more than was sent changes nothing`() {
        var flow = InputFlow()
        flow.send()
        flow.handle(2)
        #expect(flow.handled == InputNumber(0))
        flow.handle(1)
        #expect(flow.handled == InputNumber(1))
        flow.handle(0)
        #expect(flow.handled == InputNumber(1))
    }
}
