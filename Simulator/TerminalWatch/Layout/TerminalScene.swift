import DeviceModel
import Watch

struct TerminalScene {
    enum Cover: Equatable {
        case none
        case help(page: Int)
        case faults
    }

    var size: CellSize
    var view = ViewPreference.automatic
    var graphics = TerminalGraphics.none
    var frame = PanelFrame()
    var status: WatchStatus
    var origin = CellPoint(column: 0, row: 0)
    var cover = Cover.none

    init(size: CellSize, label: WatchLabel) {
        self.size = size
        status = WatchStatus(label: label)
    }

    var layout: WatchLayout { WatchLayout(size: size, view: view, graphics: graphics) }

    /// The view after the present one. Nil if the terminal can show only one view.
    var nextView: ViewKind? {
        let kinds = PanelPicture.kinds(size: size, graphics: graphics)
        guard let present = kinds.firstIndex(of: layout.picture.kind), kinds.count > 1 else { return nil }
        return kinds[(present + 1) % kinds.count]
    }

    var viewport: Viewport { viewport(in: layout) }

    private func viewport(in layout: WatchLayout) -> Viewport {
        var viewport = Viewport(content: layout.picture.size, window: layout.window.size)
        viewport.move(to: origin)
        return viewport
    }

    var coverAfterHelp: Cover {
        switch cover {
        case .none, .faults: .help(page: 0)
        case .help(let page): page + 1 < HelpSheet.pages(size) ? .help(page: page + 1) : .none
        }
    }

    func showsRow(at position: Int) -> Bool { status.description.item(at: position) != nil }

    /// The ID of the item that the command touches. Nil if the command touches no row.
    func item(under command: TerminalCommand) -> UInt32? {
        command.position.flatMap { status.description.item(at: $0) }
    }

    func pixel(under point: CellPoint) -> PanelPixel {
        let layout = layout
        let pixel = layout.picture.pixel(at: layout.cell(under: point, viewport: viewport(in: layout)))
        return PanelPixel(
            x: max(-1, min(PanelGeometry.width, pixel.x)), y: max(-1, min(PanelGeometry.height, pixel.y)))
    }

    /// The panel for the terminal's graphics protocol. Nil if the view is text or braille, or if a sheet covers the panel.
    var image: PanelImage? {
        switch cover {
        case .help, .faults: return nil
        case .none:
            let layout = layout
            guard case .pixels(let type, let scale, let cell) = layout.picture else { return nil }
            return PanelImage(frame: frame.bytes, type: type, scale: scale, cell: cell, place: layout.window)
        }
    }

    func picture() -> TextCanvas {
        var canvas = TextCanvas(size: size)
        draw(layout, on: &canvas)
        switch cover {
        case .none: break
        // A larger terminal may need fewer pages.
        case .help(let page): HelpSheet.draw(page: min(page, HelpSheet.pages(size) - 1), on: &canvas)
        case .faults: HelpSheet.draw(status.simulation?.faults, on: &canvas)
        }
        return canvas
    }

    private func draw(_ layout: WatchLayout, on canvas: inout TextCanvas) {
        let viewport = viewport(in: layout)
        WatchCase.draw(layout, viewport: viewport, haptic: status.haptic, on: &canvas)
        switch layout.picture {
        case .text(let columns, let lines):
            let panel = TextPanel.render(status.description, columns: columns, linesPerRow: lines)
            canvas.copy(viewport.visible, of: panel, to: layout.window.origin)
        case .braille:
            canvas.copy(viewport.visible, of: BrailleRenderer.render(frame.bytes), to: layout.window.origin)
        // The terminal draws the picture over the empty case.
        case .pixels: break
        }
        CaseCaptions.draw(status, layout: layout, on: &canvas)
        let hints = hints(viewport)
        let view = layout.picture.kind
        switch layout.panel {
        case .onTheCase: break
        case .beside(let rect):
            let top = layout.caseRect.origin.row
            SidePanel.drawBeside(status, view: view, hints: hints, in: rect, top: top, on: &canvas)
        case .below(let rect): SidePanel.drawBelow(status, view: view, hints: hints, in: rect, on: &canvas)
        }
    }

    private func hints(_ viewport: Viewport) -> [KeyMap.Hint] {
        let pairing = status.description.screen == .pairing ? KeyMap.pairingHints : []
        let rows = viewport.window.rows < viewport.content.rows ? [KeyMap.panRowsHint] : []
        let columns = viewport.window.columns < viewport.content.columns ? [KeyMap.panColumnsHint] : []
        let simulation = status.simulation == nil ? [] : KeyMap.simulationHints
        return pairing + KeyMap.hints + rows + columns + simulation
    }

    func command(forPressAt point: CellPoint) -> TerminalCommand {
        switch cover {
        case .help: return .toggleHelp
        case .faults: return .toggleFaults
        case .none: break
        }
        let layout = layout
        switch layout.target(at: point, viewport: viewport(in: layout)) {
        case .display(let cell): return .touch(layout.picture.pixel(at: cell).onPanel)
        case .crown: return .input(.press(.crown))
        case .sideButton: return .input(.press(.side))
        case .nothing: return .nothing
        }
    }
}

extension ScreenDescription {
    func item(at position: Int) -> UInt32? {
        switch screen {
        case .list, .past: position < RowGeometry.rowsVisible ? row(at: position)?.id : nil
        case .face, .status, .fullTitle, .pairing, .sheet: nil
        }
    }
}
