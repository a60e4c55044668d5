import WatchLink

@testable import PhoneHost

/// A simulated customer of a shop with 300 items along one path.
///
/// The customer buys a few items often and most of them seldom: the item at rank r of the customer's habits, from 0,
/// has the weight 1 / (r + 5). The customer takes each item some places too early or too late. About one item in thirty
/// is forgotten, and fetched later. As a result, 3 to 4 in 100 pairs of items in a trip are not in the order of the
/// aisles.
struct Shopper {
    static let items = 300
    /// The standard deviation of the number of places by which the customer takes an item too early or too late.
    private static let spread = 6.0
    private static let forgotten = 0.03

    private var generator: SplitMix64
    /// How often the customer buys each item, relative to `sum`. The index is the item's place in the aisles.
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

    /// Returns the items of the basket in the order in which the customer checks them off.
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
