/// The parts of the panel that have to be drawn again.
enum StaleRegions: UInt8, Sendable, BitwiseCopyable {
    case nothing = 0
    /// The title bar of the list.
    case title = 1
    /// The rows of the list, its scroll indicator and its placeholder.
    case rows = 2
    /// The title bar and the rows.
    case listScreen = 3
    /// The whole screen, whichever is up.
    case everything = 7

    mutating func insert(_ region: StaleRegions) {
        self = StaleRegions(rawValue: rawValue | region.rawValue) ?? .everything
    }

    func contains(_ region: StaleRegions) -> Bool {
        rawValue & region.rawValue == region.rawValue
    }
}
