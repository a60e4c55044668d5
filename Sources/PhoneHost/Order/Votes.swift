/// What one trip says about the order of an item and another item.
struct Vote: Equatable, Sendable {
    let other: Int
    /// How much the vote weighs. It is positive if the other item was checked off first, and negative if it came later.
    let weight: Double
}

enum Votes {
    /// Collects the votes on each of the newest trip's items.
    ///
    /// - Parameters:
    ///   - items: the numbers of that trip's items.
    ///   - trips: the trips that vote, oldest first.
    ///   - count: larger than any item's number.
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
                let (first, last) = neighbours(of: index, in: trip)
                for place in first..<index { votes[slot].append(Vote(other: trip.items[place], weight: weights[slot])) }
                for place in index + 1..<last {
                    votes[slot].append(Vote(other: trip.items[place], weight: -weights[slot]))
                }
                found[slot] += 1
                weights[slot] *= LearnedOrder.fading
            }
        }
        return votes
    }

    /// The range of a trip's items that vote on the item at `index`.
    private static func neighbours(of index: Int, in trip: LearnedOrder.Trip) -> (first: Int, last: Int) {
        (max(0, index - LearnedOrder.reach), min(trip.items.count, index + LearnedOrder.reach + 1))
    }

    /// The place with which the fewest votes disagree. If there are several, the one nearest to the old place.
    ///
    /// - Parameters:
    ///   - old: the item's present place.
    ///   - count: the number of items in the order, including this one.
    ///   - place: gives the place of another item.
    static func best(_ votes: [Vote], around old: Int, among count: Int, place: (Int) -> Int) -> Int {
        // At the place of each other item: how many votes the item gains if it comes after that one.
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

    /// Sums of the same weights differ by less than this if they are added in different orders.
    private static let tie = 1e-9
}
