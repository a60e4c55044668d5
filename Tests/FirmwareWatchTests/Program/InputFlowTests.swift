import DeviceModel
import Testing

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
