import WatchLink

/// What the phone's database takes, which a message of the watch waits for before it is acknowledged.
public struct PhoneCost: Sendable, Equatable {
    /// Reading a thousand rows of a list, and queueing them for the watch: a single row takes too little to be told in
    /// microseconds.
    public var readThousandRows: Microseconds
    /// Committing a transaction to the phone's storage, however little it changes.
    public var commit: Microseconds

    /// A database of these lengths.
    public init(readThousandRows: Microseconds, commit: Microseconds) {
        self.readThousandRows = readThousandRows
        self.commit = commit
    }

    /// What a transaction takes that reads so many rows and changes something.
    public func transaction(rows: Int) -> Microseconds {
        Microseconds(readThousandRows.count * UInt64(rows) / 1_000) + commit
    }
}
