/// The stored state of a shop's order: what finished trips taught, and the newest trip, which may still grow. The
/// result is the same whether the history arrives at once or in pieces.
package struct OrderMemory: Equatable, Codable, Sendable {
    /// What was learned from the trips before the newest one.
    package private(set) var learned = LearnedOrder()
    package private(set) var trip = RunningTrip()
    /// The newest event of the history that it has received; 0 before the first.
    package private(set) var latest: Int64 = 0

    /// Takes the next event of the history.
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

    /// Marks the history up to this event as irrelevant.
    package mutating func skip(to number: Int64) {
        latest = max(latest, number)
    }

    /// The memory before its newest trip. It needs that trip's events again.
    package var beforeNewestTrip: OrderMemory {
        trip.span == nil ? self : OrderMemory(learned: learned, latest: trip.begin - 1)
    }

    /// What was learned from all trips, including the newest.
    package var order: LearnedOrder {
        var order = learned
        if let lesson = trip.lesson, let span = trip.span { order.learn(lesson, start: span.lowerBound) }
        return order
    }

    /// Whether the newest trip is over, because its last check-off is longer ago than the longest gap. A clock that was set back
    /// also ends it.
    ///
    /// - Parameters:
    ///   - arrival: when the phone stored the newest check-off, in seconds.
    ///   - now: in seconds of the same clock.
    package static func isOver(arrival: Int64, now: Int64) -> Bool {
        abs(now - arrival) > RunningTrip.longestGap
    }
}
