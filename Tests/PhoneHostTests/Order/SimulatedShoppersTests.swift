import Testing

@testable import PhoneHost

/// Measures how well the phone learns the order of the aisles from 24 simulated shoppers. Every third trip of a shopper
/// is short.
@Suite struct SimulatedShoppersTests {
    private struct Figures {
        var pairs = 0
        var right = 0
        var taps = 0
        var visible = 0
        var flipped = 0

        var rightShare: Double { Double(right) / Double(max(1, pairs)) }
        var visibleShare: Double { Double(visible) / Double(max(1, taps)) }
    }

    private static let shoppers: ClosedRange<UInt64> = 1...24
    private static let length = 26
    /// The number of rows that a watch shows at once.
    private static let firstRows = 6

    /// Returns the sums over all shoppers. The index is the number of trips that the phone has learned.
    private static func measured() -> [Figures] {
        var figures = [Figures](repeating: Figures(), count: length)
        for seed in shoppers {
            var shopper = Shopper(seed: seed)
            var order = LearnedOrder()
            for trips in 0..<length {
                let basket = shopper.basket(.whole)
                count(&figures[trips], basket, shopper.trip(basket), order)
                let before = order
                let trip = shopper.trip(trips % 3 == 2 ? shopper.basket(.short) : basket)
                order.learn(trip.map(Shopper.title), start: 0)
                figures[trips].flipped += flips(before, order, trip)
            }
        }
        return figures
    }

    private static func key(_ item: Int) -> ItemKey { ItemKey(title: Shopper.title(item)) }

    private static func count(_ figures: inout Figures, _ basket: [Int], _ trip: [Int], _ order: LearnedOrder) {
        let known = basket.compactMap { order.place(of: key($0)) }
        for (index, place) in known.enumerated() {
            figures.pairs += known.count - index - 1
            figures.right += known[(index + 1)...].count { $0 > place }
        }
        let shelves = ItemPlacement(order)
        var rows = ItemPlacement.sorted(basket.map { shelves.place(of: key($0)) }).map { basket[$0] }
        for item in trip {
            let row = rows.firstIndex(of: item) ?? rows.endIndex
            figures.taps += 1
            if row < firstRows { figures.visible += 1 }
            rows.removeAll { $0 == item }
        }
    }

    /// Counts the neighbouring items outside `trip` whose order has changed because the phone learned `trip`.
    private static func flips(_ before: LearnedOrder, _ after: LearnedOrder, _ trip: [Int]) -> Int {
        let touched = Set(trip.map(key))
        let untouched = before.order.map { ItemKey(title: before.titles[$0]) }.filter { !touched.contains($0) }
        let places = untouched.compactMap { after.place(of: $0) }
        return zip(places, places.dropFirst()).count { $0 > $1 }
    }

    private static func percent(_ share: Double) -> Double { (share * 1_000).rounded() / 10 }

    @Test func `pairs are in aisle order after ten trips, and what is next is on the first screen after twenty`() {
        let figures = SimulatedShoppersTests.measured()
        for trips in [1, 2, 3, 5, 10, 15, 20, 25] {
            print(
                "after \(trips) trips: \(SimulatedShoppersTests.percent(figures[trips].rightShare)) % of pairs,",
                "\(SimulatedShoppersTests.percent(figures[trips].visibleShare)) % in the first six rows")
        }
        let ten = figures[10...12]
        let pairs = Double(ten.reduce(0) { $0 + $1.right }) / Double(ten.reduce(0) { $0 + $1.pairs })
        let twenty = figures[20...]
        let visible = Double(twenty.reduce(0) { $0 + $1.visible }) / Double(twenty.reduce(0) { $0 + $1.taps })
        print(
            "after 10 to 12: \(SimulatedShoppersTests.percent(pairs)) % of pairs; after 20 to 25:",
            "\(SimulatedShoppersTests.percent(visible)) % in the first six rows")
        #expect(pairs >= 0.95)
        #expect(visible >= 0.92)
        #expect(figures.allSatisfy { $0.flipped == 0 })
    }
}
