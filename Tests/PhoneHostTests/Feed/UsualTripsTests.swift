import Testing
import WatchLink

@testable import PhoneHost

@Suite struct UsualTripsTests {
    private static let hour: UInt32 = 3_600
    private static let day: UInt32 = 24 * hour
    private static let week: UInt32 = 7 * day
    /// Saturday, 2025-10-11, 00:00 local time.
    private static let saturday: UInt32 = 1_760_140_800

    /// Returns the times of the check-offs of a ten-minute trip. The trip began `hours` after 00:00 on a Saturday,
    /// `weeksAgo` weeks before `saturday`.
    private func trip(weeksAgo: UInt32, at hours: Double) -> [UInt32] {
        let start = Self.saturday - weeksAgo * Self.week + UInt32(hours * 3_600)
        return [start, start + 120, start + 600]
    }

    private let now = saturday - 12 * hour

    private func texts(
        _ checkOffs: [UInt32], from now: UInt32? = nil, lastTrip: UInt32? = nil
    ) -> [(String, UInt32, UInt32?)] {
        let now = now ?? self.now
        return UsualTrips(checkOffs: checkOffs, now: now).spans(from: now, lastTrip: lastTrip)
            .map { ($0.text.text, $0.start, $0.end) }
    }

    @Test func `an hour with a trip in three of six weeks is usual, and is announced twelve hours before`() throws {
        let checkOffs = [1, 3, 6].flatMap { trip(weeksAgo: $0, at: 10) }
        let next = try #require(texts(checkOffs).first)
        #expect(next.0 == "Usual trip Sat 10:00")
        #expect(next.1 == Self.saturday - 2 * Self.hour)
        #expect(next.2 == Self.saturday + 11 * Self.hour)
    }

    @Test func `two weeks are too little, and what is older than six does not count`() {
        #expect(texts([1, 3].flatMap { trip(weeksAgo: $0, at: 10) }).isEmpty)
        #expect(texts([1, 3, 7].flatMap { trip(weeksAgo: $0, at: 10) }).isEmpty)
        #expect(texts([]).isEmpty)
    }

    @Test func `three trips of one week are no habit`() {
        let checkOffs = [0.0, 24, 48].flatMap { trip(weeksAgo: 2, at: 10 + $0) }
        #expect(UsualTrips(checkOffs: checkOffs, now: now).isEmpty)
        let twice = trip(weeksAgo: 2, at: 9.6) + trip(weeksAgo: 2, at: 10.4) + trip(weeksAgo: 1, at: 10)
        #expect(UsualTrips(checkOffs: twice, now: now).isEmpty)
    }

    @Test func `a trip counts for the hour nearest to its beginning, whatever was checked off later`() {
        let checkOffs = [(1, 9.6), (2, 10.4), (3, 10)].flatMap { trip(weeksAgo: $0, at: $1) }
        #expect(texts(checkOffs).map(\.0).first == "Usual trip Sat 10:00")
        // A check-off every two hours is one long trip.
        let long: [UInt32] = [1, 2, 3].flatMap { (week: UInt32) -> [UInt32] in
            let start = Self.saturday - week * Self.week + 8 * Self.hour
            return [0, 2, 4, 6, 8].map { start + $0 * Self.hour }
        }
        #expect(texts(long).map(\.0).first == "Usual trip Sat 08:00")
        #expect(Set(texts(long).map(\.0)).count == 1)
    }

    @Test func `the hour before midnight may be one of the next day`() {
        let checkOffs = [1, 2, 3].flatMap { trip(weeksAgo: $0, at: 23.75) }
        #expect(texts(checkOffs).map(\.0).first == "Usual trip Sun 00:00")
    }

    @Test func `a trip that was made is not announced any more, but that of the next week`() {
        let checkOffs = [1, 2, 3].flatMap { trip(weeksAgo: $0, at: 10) }
        let made = Self.saturday + 9 * Self.hour
        let next = texts(checkOffs + [made], from: made + 600, lastTrip: made)
        #expect(next.first?.1 == Self.saturday + Self.week - 2 * Self.hour)
        // A trip on the evening before is a different trip.
        let before = Self.saturday - 6 * Self.hour
        #expect(texts(checkOffs, lastTrip: before).first?.1 == Self.saturday - 2 * Self.hour)
    }

    @Test func `of two on one day the second is announced when the first is over`() {
        let checkOffs = [1, 2, 3].flatMap { trip(weeksAgo: $0, at: 10) + trip(weeksAgo: $0, at: 18) }
        let spans = texts(checkOffs).prefix(2)
        #expect(spans.map(\.0) == ["Usual trip Sat 10:00", "Usual trip Sat 18:00"])
        #expect(spans.last?.1 == Self.saturday + 11 * Self.hour)
    }

    @Test func `at the ends of the calendar nothing overflows`() {
        for now in [0, 5_000, UInt32.max] as [UInt32] {
            let weeks = (0..<6 as Range<UInt32>).map { $0 * Self.week }
            let checkOffs = weeks.map { now >= $0 ? now - $0 : 0 }
            #expect(
                UsualTrips(checkOffs: checkOffs, now: now).spans(from: now, lastTrip: now)
                    .allSatisfy { $0.end.map { $0 > now } ?? false })
        }
    }
}
