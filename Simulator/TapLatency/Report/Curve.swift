/// Shipping's times at one length of the list and one share of lost connection events.
package struct CurvePoint: Sendable, Codable, Equatable {
    /// Items on the watch.
    package var items: Int
    /// The share of connection events that were lost, 0 to 1.
    package var loss: Double
    /// Tap-to-update.
    package var updated: Distribution
    /// Until the row is gone.
    package var settled: Distribution
}

/// How shipping's times depend on what should not matter to them. The row at the top is tapped: every row below it
/// moves.
package struct Curve: Sendable, Codable, Equatable {
    /// At 8, 32 and 128 items, without losses.
    package var items: [CurvePoint]
    /// At 0 to 100 % loss, with the items of the report.
    package var loss: [CurvePoint]
}
