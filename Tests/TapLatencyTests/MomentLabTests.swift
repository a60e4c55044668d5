import DeviceModel
import Testing

@testable import TapLatency

/// Tests the lab for moments. A moment is a wait of the wearer other than a tap, such as the launch of the list. The
/// processor's time comes from the table of counts.
@Suite struct MomentLabTests {
    private func report(_ profile: DeviceProfile = .memoryLCD, items: Int = 127) throws -> MomentReport {
        try MomentLab(Conditions(profile: profile, items: items, taps: 20)).report()
    }

    @Test(arguments: [1, 12, 127]) func `each moment is measured as often as is asked for`(items: Int) throws {
        let report = try report(items: items)
        #expect(report.moments.map(\.moment) == MeasuredMoment.allCases)
        #expect(report.moments.allSatisfy { $0.count == 20 && $0.p50 > 0 && $0.p99 >= $0.p50 && $0.floor > 0 })
    }

    @Test func `no moment is further from its panel floor than the page of the lab says, nor than a frame`() throws {
        let report = try report()
        for (moment, allowed) in zip(report.moments, [1.15, 1.2, 1.65, 1.2]) {
            #expect(moment.ratio > 1 && moment.ratio <= allowed, "\(moment)")
            #expect(moment.p99 <= moment.floor + 16_700)
        }
        // The same seed gives the same report.
        #expect(try self.report().json == report.json)
    }
}
