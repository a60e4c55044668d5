import DeviceModel
import Watch

/// All that the picture in a terminal depends on.
struct TerminalScene {
    /// What covers the watch.
    enum Cover {
        case none
        /// The keys: this page of them, from 0.
        case help(page: Int)
        case faults
    }

    /// The terminal's size.
    var size: CellSize
    /// The view that the user wants.
    var view = ViewPreference.automatic
    /// What the terminal can draw besides characters.
    var graphics = TerminalGraphics.none
    var frame = PanelFrame()
    var description = ScreenDescription()
    var status: WatchStatus
    /// The upper left cell of the part of the display that is in view, where not all of it fits.
    var origin = CellPoint(column: 0, row: 0)
    var cover = Cover.none
    /// What the panel beside the watch shows.
    var page = SidePanel.Page.tap

    /// A terminal of `size` with a watch of which only what is written on its case is known.
    init(size: CellSize, label: WatchLabel) {
        self.size = size
        status = WatchStatus(label: label)
    }

    var layout: WatchLayout { WatchLayout(size: size, view: view, graphics: graphics) }

    /// The view after the present one, of those that the terminal can show; nil where there is no choice.
    var nextView: ViewKind? {
        guard case .display(let layout) = layout else { return nil }
        let kinds = PanelPicture.kinds(size: size, graphics: graphics)
        guard let present = kinds.firstIndex(of: layout.picture.kind), kinds.count > 1 else { return nil }
        return kinds[(present + 1) % kinds.count]
    }

    /// The part of the display that is in view, nil where there is none.
    var viewport: Viewport? {
        switch layout {
        case .text: return nil
        case .display(let layout):
            var viewport = Viewport(content: layout.picture.size, window: layout.window.size)
            viewport.move(to: origin)
            return viewport
        }
    }

    /// What covers the watch after a key that shows the help, or hides it: every page of the help comes before that.
    var coverAfterHelp: Cover {
        switch cover {
        case .none, .faults: .help(page: 0)
        case .help(let page): page + 1 < HelpSheet.pages(size) ? .help(page: page + 1) : .none
        }
    }

    /// Whether there is no room for what is beside the watch elsewhere.
    var lacksSidePanel: Bool {
        switch layout {
        case .text: true
        case .display(let layout): layout.panel == .onTheCase
        }
    }

    /// Whether the watch's panel shows a row of the list at a position, 0 for the one below the title bar.
    func showsRow(at position: Int) -> Bool { description.item(at: position) != nil }

    /// The item whose row a command touches, nil where it touches none.
    func item(under command: TerminalCommand) -> UInt32? { command.position.flatMap { description.item(at: $0) } }

    /// The pixel of the panel under a point of the terminal, or a pixel beside the panel; nil where the panel is not drawn.
    func pixel(under point: CellPoint) -> PanelPixel? {
        guard case .display(let layout) = layout, let viewport else { return nil }
        let pixel = layout.picture.pixel(at: layout.cell(under: point, viewport: viewport))
        return PanelPixel(
            x: max(-1, min(PanelGeometry.width, pixel.x)), y: max(-1, min(PanelGeometry.height, pixel.y)))
    }

    /// The panel as pixels, where it is drawn so and nothing covers it.
    var image: PanelImage? {
        switch (layout, cover) {
        case (.text, _), (.display, .help), (.display, .faults): return nil
        case (.display(let layout), .none):
            guard case .pixels(let type, let scale, let cell) = layout.picture else { return nil }
            return PanelImage(frame: frame.bytes, type: type, scale: scale, cell: cell, place: layout.window)
        }
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
        // In a terminal that has become larger there are fewer pages.
        case .help(let page): HelpSheet.draw(page: min(page, HelpSheet.pages(size) - 1), on: &canvas)
        case .faults: HelpSheet.draw(status.control, on: &canvas)
        }
        return canvas
    }

    private func draw(_ layout: DisplayLayout, on canvas: inout TextCanvas) {
        guard let viewport else { return }
        WatchCase.draw(layout, viewport: viewport, haptic: status.haptic, on: &canvas)
        switch layout.picture {
        case .text(let columns, let lines):
            let panel = TextPanel.render(description, columns: columns, linesPerRow: lines)
            canvas.copy(viewport.visible, of: panel, to: layout.window.origin)
        case .braille:
            canvas.copy(viewport.visible, of: BrailleRenderer.render(frame.bytes), to: layout.window.origin)
        // The terminal draws it over the empty case.
        case .pixels: break
        }
        CaseCaptions.draw(status, layout: layout, on: &canvas)
        let hints = hints(viewport)
        let view = layout.picture.kind
        switch layout.panel {
        case .onTheCase: break
        case .beside(let rect):
            let top = layout.caseRect.origin.row
            SidePanel.drawBeside(status, view: view, page: page, hints: hints, in: rect, top: top, on: &canvas)
        case .below(let rect): SidePanel.drawBelow(status, view: view, page: page, hints: hints, in: rect, on: &canvas)
        }
    }

    /// The keys to list beside the watch, the most important ones first.
    private func hints(_ viewport: Viewport) -> [KeyMap.Hint] {
        let pairing = description.screen == .pairing ? KeyMap.pairingHints : []
        let rows = viewport.window.rows < viewport.content.rows ? [KeyMap.panRowsHint] : []
        let columns = viewport.window.columns < viewport.content.columns ? [KeyMap.panColumnsHint] : []
        let simulation: [KeyMap.Hint] =
            switch status.control {
            case .none: []
            case .some: KeyMap.simulationHints
            }
        return pairing + KeyMap.hints + rows + columns + simulation
    }

    /// The middle of the face's complication.
    private static let complication = PanelPixel(x: PanelGeometry.width / 2, y: PanelGeometry.height * 3 / 4)

    /// What a press of the button on `point` of the terminal asks for.
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
            case .complication: return .tap(TerminalScene.complication)
            case .text: return .nothing
            }
        case .display(let layout):
            guard let viewport else { return .nothing }
            switch layout.target(at: point, viewport: viewport) {
            case .display(let cell): return .touch(layout.picture.pixel(at: cell).onPanel)
            case .crown: return .input(.press(.crown))
            case .sideButton: return .input(.press(.side))
            case .nothing: return .nothing
            }
        }
    }
}

extension ScreenDescription {
    /// The item of the row that the panel shows at a position, 0 for the one below the title bar; nil for none.
    func item(at position: Int) -> UInt32? {
        switch screen {
        case .list, .past: position < RowGeometry.rowsVisible ? row(at: position)?.id : nil
        case .face, .status, .fullTitle, .pairing, .sheet: nil
        }
    }
}
