import Watch

/// A pixel of the panel, or one beside it.
struct PanelPixel: Equatable {
    var x: Int
    var y: Int

    /// The nearest one on the panel: the last cells of a picture may reach beyond it.
    var onPanel: PanelPixel {
        PanelPixel(x: max(0, min(PanelGeometry.width - 1, x)), y: max(0, min(PanelGeometry.height - 1, y)))
    }

    var touch: Input { .touch(x: Int16(clamping: x), y: Int16(clamping: y)) }
    var moved: Input { .moved(x: Int16(clamping: x), y: Int16(clamping: y)) }
    var lifted: Input { .lifted(x: Int16(clamping: x), y: Int16(clamping: y)) }
}
