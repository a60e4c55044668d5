import WatchLink

/// What is wrong with the radio link.
public struct RadioFaults: Sendable, Equatable {
    /// The share of connection events in which the two do not hear each other, 0 to 1. The link layer sends again, so a
    /// loss costs time and no data, until the supervision timeout is over.
    public var loss: Double
    /// The largest additional delay of an arrival, evenly distributed from zero: a phone or a controller that is busy.
    public var jitter: Microseconds

    /// Faults of this size; none by default.
    public init(loss: Double = 0, jitter: Microseconds = .zero) {
        self.loss = loss
        self.jitter = jitter
    }

    /// A link with which nothing is wrong.
    public static let none = RadioFaults()
}
