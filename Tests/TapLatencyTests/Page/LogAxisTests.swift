import Testing

@testable import TapLatency

@Suite struct LogAxisTests {
    @Test func `The axis runs between the powers of ten around its times`() {
        let axis = LogAxis(covering: [2_408, 2_980_000, 0])
        #expect(axis.ticks == [1_000, 10_000, 100_000, 1_000_000, 10_000_000])
    }

    @Test func `Ten times as long is the same step anywhere`() {
        let axis = LogAxis(covering: [100, 10_000_000])
        for (index, time) in [100.0, 1_000, 10_000, 100_000, 1_000_000, 10_000_000].enumerated() {
            #expect(abs(axis.position(time) - Double(index) / 5) < 1e-9)
        }
        #expect(abs(axis.position(2_000) - axis.position(1_000) - 0.2 * 0.301_03) < 1e-6)
    }

    @Test func `Times beyond an end are at the end`() {
        let axis = LogAxis(covering: [100, 1_000])
        #expect(axis.position(0) == 0)
        #expect(axis.position(1) == 0)
        #expect(axis.position(1e12) == 1)
    }

    @Test func `A single time lies on an axis, and so does none`() {
        #expect(LogAxis(covering: [1_000]).ticks == [1_000, 10_000])
        #expect(LogAxis(covering: []).ticks == [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000])
    }

    @Test func `A long axis has room for the names of its ticks`() {
        #expect(LogAxis(covering: [1, .max]).ticks.count <= 11)
    }
}
