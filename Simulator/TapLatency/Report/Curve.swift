/// Shipping's times at one length of the list and one state of the air.
public struct CurvePoint: Sendable, Codable, Equatable {
    /// Items on the watch.
    public var items: Int
    /// The share of connection events that were lost, 0 to 1.
    public var loss: Double
    /// Tap-to-update.
    public var updated: Distribution
    /// Until the row is gone.
    public var settled: Distribution

    /// A point of these figures.
    public init(items: Int, loss: Double, updated: Distribution, settled: Distribution) {
        self.items = items
        self.loss = loss
        self.updated = updated
        self.settled = settled
    }
}

/// How shipping's times depend on what should not matter to them. The row at the top is tapped: every row below it moves.
public struct Curve: Sendable, Codable, Equatable {
    /// At 8, 32 and 128 items, in clear air.
    public var items: [CurvePoint]
    /// At 0 to 100 % loss, with the items of the report.
    public var loss: [CurvePoint]

    /// A curve of these points.
    public init(items: [CurvePoint], loss: [CurvePoint]) {
        self.items = items
        self.loss = loss
    }
}
