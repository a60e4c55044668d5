import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

@Suite struct LearnedOrderTests {
    private func titles(_ order: LearnedOrder) -> [String] { order.order.map { order.titles[$0] } }

    private var essays: LearnedOrder {
        var order = LearnedOrder()
        order.learn(["Avocados", "Eggs", "Milk"], start: 0)
        order.learn(["Kale", "Carrots", "Onions", "Bell Peppers", "Avocados"], start: 86_400)
        return order
    }

    @Test func `the essays' example: after two trips it knows how to sort all of these items relative to each other`() {
        let order = essays
        #expect(
            titles(order) == ["Kale", "Carrots", "Onions", "Bell Peppers", "Avocados", "Eggs", "Milk"])
        let (eggs, kale) = (order.place(of: ItemKey(title: "eggs")), order.place(of: ItemKey(title: "KALE")))
        #expect(kale == 0 && eggs == 5)
    }

    @Test func `an item that was never bought here goes to the middle, or beside its neighbour of another shop`() {
        var other = LearnedOrder()
        other.learn(["Kale", "Spinach", "Milk"], start: 0)
        let shelves = ItemPlacement(essays, others: [other])
        #expect(shelves.place(of: ItemKey(title: "Spinach")) == 0.5)
        #expect(shelves.place(of: ItemKey(title: "Batteries")) == 3)
        #expect(ItemPlacement(LearnedOrder()).isEmpty)
    }

    @Test func `the explanation names the trips and the neighbours`() throws {
        let why = try #require(OrderExplanation(ItemKey(title: "avocados"), in: essays))
        #expect(why.place == 5 && why.count == 7)
        #expect(why.trips.map(\.start) == [86_400, 0])
        #expect(why.trips[0].before == ["Bell Peppers", "Onions", "Carrots"] && why.trips[0].after.isEmpty)
        #expect(why.neighbours.map(\.title) == ["Onions", "Bell Peppers", "Eggs", "Milk"])
        #expect(why.neighbours.map(\.agreeing) == [1, 1, 1, 1] && why.neighbours.allSatisfy { $0.opposing == 0 })
        #expect(OrderExplanation(ItemKey(title: "Soap"), in: essays) == nil)
    }

    @Test func `whatever is bought, the memory keeps its bounds and its places agree`() {
        withSeeds(3, "bounds") { generator, seed in
            var order = LearnedOrder()
            for trip in 0..<400 {
                let items = Set(
                    (0..<Int.random(in: 3...120, using: &generator)).map { _ in
                        Int.random(in: 0..<6_000, using: &generator)
                    }
                ).shuffled(using: &generator)
                order.learn(items.map { "\($0)" }, start: Int64(trip))
            }
            #expect(
                order.count <= LearnedOrder.mostItems && order.trips.count <= LearnedOrder.mostTrips, "seed \(seed)")
            for (place, item) in order.order.enumerated() {
                #expect(order.place(of: ItemKey(title: order.titles[item])) == place, "seed \(seed)")
            }
        }
    }
}
