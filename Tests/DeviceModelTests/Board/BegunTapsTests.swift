import Testing

@testable import DeviceModel

@Suite struct BegunTapsTests {
    @Test func `An input has the taps that came with it`() {
        var taps = BegunTaps()
        taps.enter(oneOf: InputNumber(1)...InputNumber(1))
        for _ in 0..<2 { taps.enter(oneOf: InputNumber(3)...InputNumber(6)) }
        #expect(taps.inputs(with: InputNumber(1)).taps == 1)
        #expect(taps.inputs(with: InputNumber(2)).taps == 0)
        #expect(taps.inputs(with: InputNumber(5)) == (InputNumber(3)...InputNumber(6), 2))
    }

    @Test func `The last 256 are kept`() {
        var taps = BegunTaps()
        for number in 1...257 as ClosedRange<UInt64> { taps.enter(oneOf: InputNumber(number)...InputNumber(number)) }
        #expect(taps.inputs(with: InputNumber(1)).taps == 0)
        #expect(taps.inputs(with: InputNumber(2)).taps == 1)
    }
}
