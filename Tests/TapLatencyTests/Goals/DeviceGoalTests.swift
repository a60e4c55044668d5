import DeviceModel
import TapLatency
import Testing
import Watch
import WatchLink

/// What the watch and its phone are to reach on the memory LCD, with 128 items and a phone whose database holds 2,000:
/// goals of the watch, measured by the lab.
@Suite struct DeviceGoalTests {
    @Test func `Shipping is within a frame, and its handler within a millisecond`() throws {
        let shipping = try measure(ShippingHandler(), taps: 100)
        #expect(try #require(shipping.marks.handled).p99 <= 1_000)
        #expect(try #require(shipping.marks.updated).p99 <= 8_000)
        #expect(try #require(shipping.marks.settled).p99 <= 16_700)
    }

    @Test func `Shipping takes little more than the panel itself`() throws {
        let shipping = try measure(ShippingHandler(), taps: 100)
        let updated = try #require(shipping.marks.updated)
        let settled = try #require(shipping.marks.settled)
        let floor = (
            updated: try #require(shipping.panelFloor.updated), settled: try #require(shipping.panelFloor.settled)
        )
        #expect(Double(updated.p50) <= Double(floor.updated.p50) * 1.15)
        #expect(Double(updated.p99) <= Double(floor.updated.p99) * 1.15)
        #expect(Double(settled.p50) <= Double(floor.settled.p50) * 1.15)
        #expect(Double(settled.p99) <= Double(floor.settled.p99) * 1.15)
    }

    @Test func `Shipping is three hundred times as fast as legacy`() throws {
        let legacy = try #require(try measure(LegacyHandler(), taps: 20).marks.updated)
        let shipping = try #require(try measure(ShippingHandler(), taps: 20).marks.updated)
        #expect(legacy.p50 >= 300 * shipping.p50)
    }
}
