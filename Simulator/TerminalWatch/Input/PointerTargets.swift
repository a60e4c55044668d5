import DeviceModel
import Watch

/// Where to touch the display so as to hit something that is on it.
enum PointerTargets {
    /// The middle of the list's row at a position of the panel, 0 for the one below the title bar.
    static func row(at position: Int) -> Input {
        .touch(
            x: Int16(PanelGeometry.width / 2),
            y: Int16(clamping: RowGeometry.rowTop(position) + RowGeometry.rowHeight / 2))
    }

    /// The face's complication.
    static var complication: Input {
        .touch(x: Int16(PanelGeometry.width / 2), y: Int16(PanelGeometry.height * 3 / 4))
    }
}
