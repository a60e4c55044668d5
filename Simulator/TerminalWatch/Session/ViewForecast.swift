/// Which view a terminal gets by itself, and why: for whoever asks before a watch is there.
package struct ViewForecast: Equatable {
    /// `plain`, or the name of a view.
    package let name: String
    /// Why, as the end of a line.
    package let why: String

    /// The forecast for a terminal of the type in `TERM`, of a size in cells, that draws such pictures.
    package init(type: String?, columns: Int, rows: Int, graphics: TerminalGraphics, because reason: String) {
        let environment = DisplayMode.Environment(
            streams: .terminal, terminalType: type, abilities: TerminalAbilities(type: type))
        let choice = DisplayMode.choice(.automatic, environment)
        guard case .drawn = choice.mode else {
            (name, why) = (DisplayMode.plainName, choice.why)
            return
        }
        let size = CellSize(columns: columns, rows: rows)
        let whole = DisplayLayout.smallest(for: .braille)
        switch WatchLayout(size: size, graphics: graphics) {
        case .text:
            let least = WatchLayout.smallestDisplay
            (name, why) = (ViewKind.text.rawValue, "rows alone: a case takes \(least.columns) x \(least.rows)")
        case .display(let layout):
            name = layout.picture.kind.rawValue
            switch layout.picture {
            case .pixels(_, let scale, _): why = "\(reason), so each pixel is \(scale) x \(scale)"
            case .braille: why = "\(reason), and all of the panel fits"
            case .text: why = "\(reason), and braille takes \(whole.columns) x \(whole.rows)"
            }
        }
    }
}

extension DisplayMode {
    /// What plain text is called where the views have names.
    package static let plainName = "plain"
}
