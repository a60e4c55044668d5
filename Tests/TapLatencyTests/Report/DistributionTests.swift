import Testing
import WatchLink

@testable import TapLatency

@Suite struct DistributionTests {
    @Test func `Half of the times are within the first figure, all within the last`() throws {
        let distribution = try #require(Distribution((1...100).map { Microseconds(UInt64($0)) }))
        #expect(distribution == Distribution(p50: 50, p90: 90, p99: 99, max: 100, count: 100))
    }

    @Test func `A single time is every figure, to the microsecond`() throws {
        let distribution = try #require(Distribution([Microseconds(5_432_123)]))
        #expect(distribution == Distribution(p50: 5_432_123, p90: 5_432_123, p99: 5_432_123, max: 5_432_123, count: 1))
    }

    @Test func `No times have no distribution`() {
        #expect(Distribution([]) == nil)
    }
}
