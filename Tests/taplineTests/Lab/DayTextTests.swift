import Testing

@testable import TapLatency
@testable import tapline_lab

struct DayTextTests {
    private static let rest = PartCharges([
        .sleep: 20, .processor: 1.5, .panel: 0.12, .radioEvents: 30, .radioPackets: 5.5,
    ])
    private static let tap = PartCharges([
        .processor: 0.01, .panel: 0.007, .flash: 0.003, .haptic: 0.333, .radioEvents: 0.7,
    ])

    private static let report = DayReport(
        profile: "memory-lcd", items: 128, database: 2_000, seed: 1, processor: .executed, day: .usual,
        batteryMilliampereHours: 180,
        handlers: ["legacy", "shipping"].map {
            DayUse(handler: $0, idleHour: rest, [.tap: tap], on: .usual, battery: 180)
        },
        assumptions: ["No light."])

    private func lines(width: Int = 100) -> [String] { Self.report.text.lines(width: width) }

    @Test func `every part has a row for each handler, and their sum`() {
        for part in ChargedPart.allCases { #expect(lines().filter { $0.hasPrefix(part.title) }.count == 2) }
        #expect(lines().filter { $0.hasPrefix("in all") && $0.hasSuffix("100 %") }.count == 2)
    }

    @Test func `a row has one, the day's rest, what happens on it, and the share`() throws {
        let row = try #require(lines().first { $0.hasPrefix("radio, events") })
        let cells = row.dropFirst("radio, events".count).split(separator: " ")
        // 30 µAh for 24 hours, and 40 taps of 0.7.
        #expect(cells == ["0", "0.700", "0", "720", "0", "28.0", "0", "748", "53", "%"])
    }

    @Test func `the days of the battery and all that is assumed are at the end`() {
        #expect(lines().contains { $0.hasPrefix("shipping: 1.41 mAh a day, 127 days from a battery of 180 mAh") })
        #expect(lines().last == "Assumed: No light.")
    }

    @Test(arguments: [80, 100, 200]) func `no row is wider than the terminal`(width: Int) {
        #expect(lines(width: width).allSatisfy { $0.count <= width })
    }
}
