import DeviceModel
import Foundation
import Testing

@testable import TapLatency

@Suite struct DayLabTests {
    private static let day = DescribedDay(looks: 10, taps: 20, changes: 5)
    private static let report = try? DayLab(Conditions(items: 32, database: 32), day).report(of: [.legacy, .shipping])

    private func use(_ handler: OwnHandler) throws -> DayUse {
        try #require(Self.report?.handlers.first { $0.handler == handler.rawValue })
    }

    @Test func `A day is its rest and all that happens on it`() throws {
        let use = try use(.shipping)
        for part in ChargedPart.allCases {
            let happenings = use.look[part] * 10 + use.tap[part] * 20 + use.change[part] * 5
            #expect(abs(use.day[part] - (use.idleHour[part] * 24 + happenings)) < 1e-6, "\(part)")
        }
    }

    @Test func `Asleep the memory LCD takes its 20 uA for 24 hours, and nothing that happens adds to that`() throws {
        let use = try use(.shipping)
        #expect(abs(use.day[.sleep] - 20 * 24) < 0.01)
        #expect(use.look[.sleep] == 0 && use.tap[.sleep] == 0 && use.change[.sleep] == 0)
    }

    @Test(arguments: [OwnHandler.legacy, .shipping])
    func `A tap is felt once, 60 mA for 20 ms, and nothing else is`(handler: OwnHandler) throws {
        let use = try use(handler)
        #expect(abs(use.tap[.haptic] - 60 * 20 / 3_600.0) < 1e-6)
        #expect(use.look[.haptic] == 0 && use.change[.haptic] == 0 && use.idleHour[.haptic] == 0)
    }

    @Test func `At rest the watch listens to one of four events 45 ms apart, and to those of its pings`() throws {
        let events = try use(.shipping).idleHour[.radioEvents] * 3_600 / 4.5
        #expect(events > 3_600 / 0.18)
        #expect(events < 3_600 / 0.045)
    }

    @Test func `What happens makes the connection fast, and costs more than rest`() throws {
        let use = try use(.shipping)
        for one in [use.look, use.tap] { #expect(one[.radioEvents] > 0.1 && one[.panel] > 0) }
        #expect(use.change[.radioEvents] > 0)
    }

    @Test func `A battery of 180 mAh lasts as many days as the day goes into it`() throws {
        let use = try use(.shipping)
        #expect(abs(try #require(use.batteryDays) * use.day.total - 180_000) < 0.001)
    }

    @Test func `Legacy's tap sends the whole list through the air, and shipping's a message`() throws {
        #expect(try use(.legacy).tap[.radioPackets] > 10 * use(.shipping).tap[.radioPackets])
        // It stores the whole order of the list, too.
        #expect(try use(.legacy).tap[.flash] > use(.shipping).tap[.flash])
    }

    @Test func `A day without anything is its rest`() throws {
        let empty = DescribedDay(looks: 0, taps: 0, changes: 0)
        let use = try #require(DayLab(Conditions(items: 8), empty).report(of: [.shipping]).handlers.first)
        #expect(use.day == use.idleHour.times(24))
    }

    @Test func `Where nothing takes charge there is no number of days`() throws {
        let use = try #require(DayLab(Conditions(profile: .instant, items: 8)).report(of: [.shipping]).handlers.first)
        #expect(use.day.total == 0)
        #expect(use.batteryDays == nil)
    }

    @Test func `Every assumption is in the report, those of the profile too`() throws {
        let assumptions = try #require(Self.report?.assumptions)
        #expect(assumptions.contains { $0.contains("No light") })
        #expect(Set(assumptions).isSuperset(of: DeviceProfile.memoryLCD.assumptions))
    }

    @Test func `The same seed gives the same bytes, and they can be read`() throws {
        func json() throws -> [UInt8] { try DayLab(Conditions(items: 8, seed: 3)).report(of: [.shipping]).json }
        let first = try json()
        #expect(try json() == first)
        let report = try #require(JSONSerialization.jsonObject(with: Data(first)) as? [String: Any])
        #expect((report["handlers"] as? [[String: Any]])?.first?["handler"] as? String == "shipping")
    }

    @Test(arguments: [(-1, 40, 30), (80, 40, 2_761), (3_000, 0, 0), (.max, 1, 1)])
    func `A day that has no room is refused with what to do`(looks: Int, taps: Int, changes: Int) {
        let day = DescribedDay(looks: looks, taps: taps, changes: changes)
        let error = #expect(throws: TapLatencyError.day(looks: looks, taps: taps, changes: changes)) {
            try DayLab(Conditions(), day)
        }
        let advice = "give 0 or more of each, and 2,880 in all at most, one every 30.0 s"
        #expect(error?.description.contains(advice) == true)
    }
}

/// What the wearer waits for besides taps, on the memory LCD, by the table of what was counted.
@Suite struct MomentLabTests {
    private func report(_ profile: DeviceProfile = .memoryLCD, items: Int = 127) throws -> MomentReport {
        try MomentLab(Conditions(profile: profile, items: items, taps: 20)).report()
    }

    @Test(arguments: [1, 12, 127]) func `each moment is measured as often as is asked for`(items: Int) throws {
        let report = try report(items: items)
        #expect(report.moments.map(\.moment) == MeasuredMoment.allCases)
        #expect(report.moments.allSatisfy { $0.count == 20 && $0.p50 > 0 && $0.p99 >= $0.p50 && $0.floor > 0 })
    }

    @Test func `no moment is further from its panel floor than the page of the lab says`() throws {
        let ratios = try report().moments.map(\.ratio)
        let allowed = [1.15, 1.2, 1.65, 1.2]
        for (ratio, allowed) in zip(ratios, allowed) { #expect(ratio > 1 && ratio <= allowed, "\(ratios)") }
    }

    @Test func `no moment takes longer than a frame and the panel's own time`() throws {
        for moment in try report().moments { #expect(moment.p99 <= moment.floor + 16_700) }
    }
}
