/// What one trip says about the order of an item and another item.
struct Vote: Equatable, Sendable {
    let other: Int
    /// How much the vote weighs. It is positive if the other item was checked off first, and negative if it came later.
    let weight: Double
}

enum Votes {
    /// Collects the votes on the newest trip's items. `trips` are oldest first; every item's number is below `count`.
    static func all(about items: [Int], from trips: [LearnedOrder.Trip], items count: Int) -> [[Vote]] {
        var slots = [Int](repeating: -1, count: count)
        for (slot, item) in items.enumerated() { slots[item] = slot }
        var votes = [[Vote]](repeating: [], count: items.count)
        var found = [Int](repeating: 0, count: items.count)
        var weights = [Double](repeating: 1, count: items.count)
        for trip in trips.reversed() {
            for (index, item) in trip.items.enumerated() {
                let slot = slots[item]
                guard slot >= 0, found[slot] < LearnedOrder.memories else { continue }
                let near = max(0, index - LearnedOrder.reach)..<min(trip.items.count, index + LearnedOrder.reach + 1)
                for place in near where place != index {
                    let weight = place < index ? weights[slot] : -weights[slot]
                    votes[slot].append(Vote(other: trip.items[place], weight: weight))
                }
                found[slot] += 1
                weights[slot] *= LearnedOrder.fading
            }
        }
        return votes
    }

    /// The place with which the fewest votes disagree. If there are several, the one nearest to the `old` place.
    static func best(_ votes: [Vote], around old: Int, among count: Int, place: (Int) -> Int) -> Int {
        // For the place of each other item: the weight of the votes that this item gains by coming after that other item.
        var gains = [Double](repeating: 0, count: count)
        for vote in votes {
            let place = place(vote.other)
            gains[place > old ? place - 1 : place] += vote.weight
        }
        var (gain, best, result) = (0.0, 0.0, 0)
        for candidate in 1..<max(1, count) {
            gain += gains[candidate - 1]
            if gain > best + tie || (gain > best - tie && abs(candidate - old) < abs(result - old)) {
                (best, result) = (max(gain, best), candidate)
            }
        }
        return result
    }

    /// Sums that differ by less than this count as equal. The order of the additions changes a sum slightly.
    private static let tie = 1e-9
}
