/// Parts of the panel that no longer show what they should.
enum StaleRegions: UInt8, Sendable, BitwiseCopyable {
    /// None.
    case nothing = 0
    /// The title bar of the list.
    case title = 1
    /// The rows of the list and what belongs to them.
    case rows = 2
    /// All of the list: the title bar and the rows.
    case listScreen = 3
    /// The whole screen, whichever it is.
    case everything = 7

    /// Adds a region to those that are stale already.
    mutating func insert(_ region: StaleRegions) {
        self = StaleRegions(rawValue: rawValue | region.rawValue) ?? .everything
    }

    /// Whether all of `region` is stale.
    func contains(_ region: StaleRegions) -> Bool {
        rawValue & region.rawValue == region.rawValue
    }
}
