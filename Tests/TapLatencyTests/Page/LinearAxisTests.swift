import Testing

@testable import TapLatency

@Suite struct LinearAxisTests {
    @Test func `The axis ends at the first round number that has everything below it`() {
        let axis = LinearAxis(covering: [3_311_820, 12], about: 4)
        #expect(axis.highest == 3_500_000)
        #expect(axis.ticks.count == 8)
        #expect(axis.position(1_750_000) == 0.5)
    }

    @Test func `Values beyond an end are at the end`() {
        let axis = LinearAxis(covering: [10], about: 2)
        #expect(axis.position(-1) == 0)
        #expect(axis.position(11) == 1)
        #expect(axis.position(.nan) == 0)
    }

    @Test(arguments: [[], [0], [.infinity], [1e-300], [1e300]])
    func `An axis of odd values has ticks`(values: [Double]) {
        let axis = LinearAxis(covering: values, about: 4)
        #expect((2...12).contains(axis.ticks.count))
        #expect(axis.position(axis.highest) == 1)
    }
}
