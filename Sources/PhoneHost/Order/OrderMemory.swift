/// What is kept of a store's order: what was learned from the trips that are over, and the newest trip, which more check-offs
/// may still join. It is the same whether it was told a history at once or piece by piece.
package struct OrderMemory: Equatable, Codable, Sendable {
    /// What was learned from the trips before the newest.
    package private(set) var learned: LearnedOrder
    /// The newest trip.
    package private(set) var trip: RunningTrip
    /// The newest event of the history that it was told.
    package private(set) var latest: Int64

    /// - Parameter latest: an event of the history; those after it are to follow.
    package init(learned: LearnedOrder = LearnedOrder(), trip: RunningTrip = RunningTrip(), latest: Int64 = 0) {
        self.learned = learned
        self.trip = trip
        self.latest = latest
    }

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

    /// There is nothing of interest in the history up to this event.
    package mutating func skip(to number: Int64) {
        latest = max(latest, number)
    }

    /// The memory before its newest trip began: the events of that are to follow.
    package var beforeNewestTrip: OrderMemory {
        trip.span == nil ? self : OrderMemory(learned: learned, latest: trip.begin - 1)
    }

    /// What was learned from all trips, the newest among them.
    package var order: LearnedOrder {
        var order = learned
        if let lesson = trip.lesson, let span = trip.span { order.learn(lesson, start: span.lowerBound) }
        return order
    }

    /// Whether the newest trip is over: nothing was checked off for longer than the longest gap of a trip. A clock that was put
    /// back since ends it, too.
    ///
    /// - Parameters:
    ///   - arrival: when the newest check-off was stored, in seconds.
    ///   - now: the present time, in seconds of the same clock.
    package static func isOver(arrival: Int64, now: Int64) -> Bool {
        abs(now - arrival) > RunningTrip.longestGap
    }
}
