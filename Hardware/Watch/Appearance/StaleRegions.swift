extension Display {
    var isDrawn: Bool {
        switch stale {
        case .nothing: true
        case .title, .rows, .listScreen, .everything: false
        }
    }

    /// `.everything` marks any screen, the other regions only the list.
    mutating func invalidate(_ region: StaleRegions) {
        stale.insert(region)
    }

    mutating func invalidateUnlessList() {
        switch screen {
        case .list: break
        case .face, .sheet: stale.insert(.everything)
        }
    }

    mutating func invalidateFace() {
        switch screen {
        case .face: stale.insert(.everything)
        case .list, .sheet: break
        }
    }

    mutating func invalidateSheet() {
        switch screen {
        case .sheet: stale.insert(.everything)
        case .face, .list: break
        }
    }

    mutating func invalidateStatus() {
        switch screen {
        case .sheet(.status, _): stale.insert(.everything)
        case .face, .list, .sheet(.fullTitle, _), .sheet(.pairing, _), .sheet(.handler, _),
            .sheet(.past, _):
            break
        }
    }
}

enum StaleRegions: UInt8, Sendable, BitwiseCopyable {
    case nothing = 0
    case title = 1
    /// With the scroll indicator and the placeholder.
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
