/// What the phone has learned about one shop's order, and the shop's newest trip, which may still grow.
package struct OrderMemory: Equatable, Codable, Sendable {
    package private(set) var learned = LearnedOrder()
    package private(set) var trip = RunningTrip()
    /// The number of the last history entry that was taken or skipped; 0 before the first.
    package private(set) var latest: Int64 = 0

    package mutating func take(_ event: OrderEvent) {
        latest = max(latest, event.number)
        switch event {
        case .unchecked(_, let item, let time): trip.withdraw(item, at: time)
        case .checked(let checkOff):
            if !trip.admits(checkOff) { finishTrip() }
            trip.add(checkOff)
        }
    }

    private mutating func finishTrip() {
        learned = order
        trip = RunningTrip()
    }

    /// Skips the history entries up to and including `number`. The caller must first take the entries
    /// of this shop.
    package mutating func skip(to number: Int64) {
        latest = max(latest, number)
    }

    /// The memory without its newest trip. To learn that trip later, the memory must take the trip's history entries again.
    package var beforeNewestTrip: OrderMemory {
        trip.span == nil ? self : OrderMemory(learned: learned, latest: trip.begin - 1)
    }

    /// What was learned from all trips, including the newest.
    package var order: LearnedOrder {
        var order = learned
        if let lesson = trip.lesson, let span = trip.span { order.learn(lesson, start: span.lowerBound) }
        return order
    }

    /// Whether the newest trip has ended: more than `RunningTrip.longestGap` lies between `now` and the arrival of the trip's
    /// last check-off. The clock may have been set back, so `now` may be earlier than `arrival`.
    package static func isOver(arrival: Int64, now: Int64) -> Bool {
        abs(now - arrival) > RunningTrip.longestGap
    }
}
