import DeviceModel
import Watch

/// All that the picture in a terminal depends on.
struct TerminalScene {
    /// What covers the watch.
    enum Cover {
        case none
        case help
        case faults
    }

    /// The terminal's size.
    var size: CellSize
    var frame = PanelFrame()
    var description = ScreenDescription()
    var status: WatchStatus
    /// The upper left cell of the part of the display that is in view, where not all of it fits.
    var origin = CellPoint(column: 0, row: 0)
    var cover = Cover.none

    /// A terminal of `size` with a watch whose name alone is known.
    init(size: CellSize, name: String) {
        self.size = size
        status = WatchStatus(name: name)
    }

    var layout: WatchLayout { WatchLayout(size: size) }

    /// The part of the display that is in view, nil where no pixels are shown.
    var viewport: Viewport? {
        switch layout {
        case .text: return nil
        case .display(let layout):
            var viewport = Viewport(content: BrailleRenderer.size, window: layout.window.size)
            viewport.move(to: origin)
            return viewport
        }
    }

    /// Whether the watch's panel shows a row of the list at a position, 0 for the one below the title bar.
    func showsRow(at position: Int) -> Bool {
        switch description.screen {
        case .list: position < RowGeometry.rowsVisible && description.row(at: position) != nil
        case .face, .status, .fullTitle, .pairing, .sheet: false
        }
    }

    /// The item whose row a command touches, nil where it touches none.
    func item(under command: TerminalCommand) -> UInt32? {
        let position: Int? =
            switch command {
            case .tapVisibleRow(let position): position
            case .input(.touch(_, let y)): RowGeometry.row(atY: Int(y))
            case .input, .pan, .togglePause, .step, .faster, .slower, .toggleFaults, .change, .toggleHelp, .redraw,
                .suspend, .quit, .nothing:
                nil
            }
        guard let position, showsRow(at: position) else { return nil }
        return description.row(at: position)?.id
    }

    func picture() -> TextCanvas {
        var canvas = TextCanvas(size: size)
        switch layout {
        case .text(let size):
            TextView.draw(TextView.lines(description, status: status, size: size), on: &canvas)
        case .display(let layout): draw(layout, on: &canvas)
        }
        switch cover {
        case .none: break
        case .help: HelpSheet.draw(on: &canvas)
        case .faults: HelpSheet.draw(status.control, on: &canvas)
        }
        return canvas
    }

    private func draw(_ layout: DisplayLayout, on canvas: inout TextCanvas) {
        guard let viewport else { return }
        WatchCase.draw(layout, viewport: viewport, haptic: status.haptic, on: &canvas)
        canvas.copy(viewport.visible, of: BrailleRenderer.render(frame.bytes), to: layout.window.origin)
        CaseCaptions.draw(status, layout: layout, on: &canvas)
        var hints = KeyMap.hints
        if description.screen == .pairing { hints = KeyMap.pairingHints + hints }
        if viewport.window.rows < viewport.content.rows { hints.append(KeyMap.panRowsHint) }
        if viewport.window.columns < viewport.content.columns { hints.append(KeyMap.panColumnsHint) }
        switch layout.panel {
        case .onTheCase: break
        case .beside(let rect): SidePanel.drawBeside(status, hints: hints, in: rect, on: &canvas)
        case .below(let rect): SidePanel.drawBelow(status, hints: hints, in: rect, on: &canvas)
        }
    }

    /// A touch of the face's complication.
    private static let complication = Input.touch(
        x: Int16(PanelGeometry.width / 2), y: Int16(PanelGeometry.height * 3 / 4))

    /// What a click on `point` of the terminal asks for.
    func command(forPressAt point: CellPoint) -> TerminalCommand {
        switch cover {
        case .help: return .toggleHelp
        case .faults: return .toggleFaults
        case .none: break
        }
        switch layout {
        case .text(let size):
            let lines = TextView.lines(description, status: status, size: size)
            guard lines.indices.contains(point.row) else { return .nothing }
            switch lines[point.row] {
            case .row(let position, _): return .tapVisibleRow(position)
            case .complication: return .input(TerminalScene.complication)
            case .text: return .nothing
            }
        case .display(let layout):
            guard let viewport else { return .nothing }
            switch layout.target(at: point, viewport: viewport) {
            case .display(let cell): return .input(BrailleRenderer.touch(at: cell))
            case .crown: return .input(.press(.crown))
            case .sideButton: return .input(.press(.side))
            case .nothing: return .nothing
            }
        }
    }
}
