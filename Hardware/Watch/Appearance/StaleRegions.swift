extension Display {
    var isDrawn: Bool {
        switch stale {
        case .nothing: true
        case .title, .rows, .listScreen, .everything: false
        }
    }

    /// Marks a region as stale. On screens other than the list, any region makes the next `redraw` draw the screen again.
    mutating func invalidate(_ region: StaleRegions) {
        stale.insert(region)
    }

    mutating func invalidateUnlessList() {
        if screen.name != .list { stale.insert(.everything) }
    }

    mutating func invalidateFace() {
        if case .face = screen { stale.insert(.everything) }
    }

    mutating func invalidateSheet() {
        if case .sheet = screen { stale.insert(.everything) }
    }

    @inline(never)
    mutating func invalidateStatus() {
        if screen.showsStatus { stale.insert(.everything) }
    }
}

enum StaleRegions: UInt8, Sendable, BitwiseCopyable {
    case nothing = 0
    case title = 1
    /// The rows and the scroll indicator, or the placeholder of a list without rows.
    case rows = 2
    case listScreen = 3
    case everything = 7

    mutating func insert(_ region: StaleRegions) {
        self = StaleRegions(rawValue: rawValue | region.rawValue) ?? .everything
    }

    func contains(_ region: StaleRegions) -> Bool {
        rawValue & region.rawValue == region.rawValue
    }
}
