import WatchLink

/// What is wrong with the phone.
public struct PhoneFaults: Sendable, Equatable {
    /// How many times as long as the profile says every transaction of its database takes, 0 to 1,000,000: a phone with a worn
    /// or busy storage.
    public var databaseFactor: Double
    /// What every transaction takes besides: one that waits for another program's.
    public var databaseDelay: Microseconds

    /// Faults of this size; none by default.
    public init(databaseFactor: Double = 1, databaseDelay: Microseconds = .zero) {
        self.databaseFactor = databaseFactor
        self.databaseDelay = databaseDelay
    }

    /// A phone with which nothing is wrong.
    public static let none = PhoneFaults()

    /// What a transaction takes that by itself would take `length`.
    func stretched(_ length: Microseconds) -> Microseconds {
        Microseconds(UInt64(Double(length.count) * min(max(databaseFactor, 0), 1_000_000))) + databaseDelay
    }
}
