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
