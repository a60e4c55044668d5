/// One trip's vote on whether an item belongs before or after the item with the number `other`.
struct Vote: Equatable, Sendable {
    let other: Int
    /// Positive if `other` was checked off before the item, negative if after it. The magnitude is 1 for the item's newest
    /// trip, and is multiplied by `LearnedOrder.fading` for each earlier trip.
    let weight: Double
}

enum Votes {
    /// Collects the votes on each of `items`, in the same order. `trips` are oldest first. All item numbers are below
    /// `count`.
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

    /// Returns the place for which the disagreeing votes have the lowest total weight. If several places have the lowest
    /// weight, returns the place nearest to `old`. The number of places is `count`, and the function `place` gives the present
    /// place of an item.
    static func best(_ votes: [Vote], around old: Int, among count: Int, place: (Int) -> Int) -> Int {
        // Places are counted here without the item itself. `gains[n]` is the total weight of the votes on the item at place
        // n. The votes agree by this much more if the item goes after place n than before it.
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

    /// Two total weights are equal if they differ by less than this number. The order of the additions changes a total
    /// slightly.
    private static let tie = 1e-9
}
