import WatchLink

@testable import PhoneHost

/// A simulated customer of one shop: 300 items in a row, a path along it, and habits.
///
/// A few items are bought often and most of them seldom: the one on place r of a shopper's habits is bought with a weight of
/// 1 / (r + 5). On the way each item is reached up to some places sooner or later, and every thirtieth is forgotten and fetched
/// later. Of the pairs of a trip 3 to 4 in 100 are so in the wrong order of aisles.
struct Shopper {
    static let items = 300
    /// How far from its place an item is reached, in items: the standard deviation.
    private static let spread = 6.0
    private static let forgotten = 0.03

    private var generator: SplitMix64
    /// What is bought, by its place in the aisles.
    private let weights: [Double]
    private let sum: Double

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        var weights = (0..<Shopper.items).map { 1 / Double($0 + 5) }
        weights.shuffle(using: &generator)
        self.weights = weights
        sum = weights.reduce(0, +)
    }

    static func title(_ item: Int) -> String { "Item \(item)" }

    /// The items of a trip, in the order of aisles: of a short one 3 to 8, else 20 to 40.
    mutating func basket(_ length: Length) -> [Int] {
        let count =
            switch length {
            case .short: Int.random(in: 3...8, using: &generator)
            case .whole: Int.random(in: 20...40, using: &generator)
            }
        var basket: Set<Int> = []
        while basket.count < count {
            var rest = Double.random(in: 0..<sum, using: &generator)
            basket.insert(
                weights.firstIndex { weight in
                    rest -= weight
                    return rest <= 0
                } ?? 0)
        }
        return basket.sorted()
    }

    enum Length {
        case short
        case whole
    }

    /// The items in the order in which they are checked off.
    mutating func trip(_ basket: [Int]) -> [Int] {
        let reached = basket.map { item -> (place: Double, item: Int) in
            if Double.random(in: 0..<1, using: &generator) < Shopper.forgotten {
                return (Double.random(in: Double(item)...Double(Shopper.items), using: &generator), item)
            }
            // The sum of twelve uniform numbers is close to a normal one with a deviation of 1.
            let noise = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
            return (Double(item) + noise * Shopper.spread, item)
        }
        return reached.sorted { $0.place < $1.place }.map(\.item)
    }
}
