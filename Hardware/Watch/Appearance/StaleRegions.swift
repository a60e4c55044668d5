extension Display {
    /// Whether the framebuffer has everything that the screen has to show.
    var isDrawn: Bool {
        switch stale {
        case .nothing: true
        case .title, .rows, .listScreen, .everything: false
        }
    }

    /// Marks a region of the list as stale, or with `.everything` any screen.
    mutating func invalidate(_ region: StaleRegions) {
        stale.insert(region)
    }

    /// Marks a face or a sheet as stale after a change of the data.
    mutating func invalidateUnlessList() {
        switch screen {
        case .list: break
        case .face, .sheet: stale.insert(.everything)
        }
    }

    /// Marks the face as stale after a change of its complication.
    mutating func invalidateFace() {
        switch screen {
        case .face: stale.insert(.everything)
        case .list, .sheet: break
        }
    }

    /// Marks a sheet as stale after a change of the data.
    mutating func invalidateSheet() {
        switch screen {
        case .sheet: stale.insert(.everything)
        case .face, .list: break
        }
    }

    /// Marks the status sheet as stale after a change of the number of waiting messages.
    mutating func invalidateStatus() {
        switch screen {
        case .sheet(.status, _): stale.insert(.everything)
        case .face, .list, .sheet(.fullTitle, _), .sheet(.pairing, _), .sheet(.handler, _),
            .sheet(.past, _):
            break
        }
    }
}

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
