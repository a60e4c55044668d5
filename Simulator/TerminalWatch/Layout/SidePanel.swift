import DeviceModel
import HostSystem
import Watch
import WatchLink

struct PanelBlock: Equatable {
    var heading: String
    var lines: [StyledText]

    var rows: Int { lines.count + 1 }
}

extension PanelBlock {
    static func phone(_ status: WatchStatus) -> PanelBlock {
        let waiting =
            switch status.description.waitingMessages {
            case 0: StyledText("nothing waiting")
            default:
                StyledText("\(CountText(status.description.waitingMessages, "message")) waiting", TextStyle(.yellow))
            }
        let step =
            switch (status.description.isSynchronized, status.description.link) {
            case (true, _):
                StyledText([.init(text: "✓", style: TextStyle(.green)), .init(text: " in sync", style: .plain)])
            case (false, .reachable):
                StyledText([.init(text: "…", style: TextStyle(.yellow)), .init(text: " syncing", style: .plain)])
            case (false, .connecting), (false, .down):
                StyledText([
                    .init(text: "…", style: TextStyle(.yellow)), .init(text: " not in sync", style: .plain),
                ])
            }
        let notice = status.description.noticeLine.map { StyledText($0, TextStyle(.red, weight: .bold)) }
        // If there is no phone, only this line says how to start one.
        let remedy: StyledText? =
            switch status.absence {
            case nil: nil
            case .paused: StyledText("paused: p goes on", TextStyle(.yellow))
            case .cut: StyledText("cut by a fault: f, then 2", TextStyle(.yellow))
            case .noPhone: StyledText("run: tapline phone serve", TextStyle(.yellow))
            }
        return PanelBlock(
            heading: "Phone",
            lines: [linkLine(status.description.link), remedy, step, notice, waiting].compactMap(\.self))
    }

    static func linkLine(_ link: ScreenDescription.Link) -> StyledText {
        switch link {
        case .reachable:
            StyledText([.init(text: "●", style: TextStyle(.green)), .init(text: " reachable", style: .plain)])
        case .connecting:
            StyledText([.init(text: "◐", style: TextStyle(.yellow)), .init(text: " connecting", style: .plain)])
        case .down:
            StyledText([.init(text: "○", style: TextStyle(.red)), .init(text: " not reachable", style: .plain)])
        }
    }

    static func list(_ status: WatchStatus) -> PanelBlock {
        var line = StyledText([
            .init(text: "\(status.description.remaining)", style: .bold), .init(text: " left", style: .plain),
        ])
        if status.description.more > 0 {
            line = line + StyledText(", \(status.description.more) of them only on the phone")
        }
        let remark = status.remark.map { StyledText($0, TextStyle(.yellow)) }
        return PanelBlock(heading: "List", lines: [line, remark].compactMap(\.self))
    }

    /// Shows the time from the touch to each recorded point of the tap. The bars are in proportion to these times.
    static func lastTap(_ tap: TapHistory?, columns: Int) -> PanelBlock {
        guard let tap else {
            return PanelBlock(heading: "Last tap", lines: [StyledText("none yet")])
        }
        let longest = max(1, TapMark.all.compactMap { tap.sinceTouch($0)?.count }.max() ?? 1)
        let barColumns = max(0, min(24, columns - 22))
        var lines = TapMark.all.map { mark -> StyledText in
            guard let time = tap.sinceTouch(mark) else {
                return StyledText(mark.title.padded(to: 13) + "–".padded(to: 6, .right), .decoration)
            }
            if mark == .settled { return removal(time, columns: columns) }
            let style: TextStyle = mark == .updated ? .bold : .plain
            let bar = Bar.text(Double(time.count) / Double(longest), columns: barColumns)
            return StyledText([
                .init(text: mark.title.padded(to: 13) + time.milliseconds.padded(to: 6, .right), style: style),
                .init(text: "  " + bar, style: TextStyle(mark == .updated ? .green : .cyan)),
            ])
        }
        lines[0].parts[lines[0].parts.count - 1] = .init(
            text: barColumns > 14 ? "  ms after touch" : "  ms", style: .plain)
        return PanelBlock(heading: "Last tap (\(tap.tap.count))", lines: lines)
    }

    /// The line for the removal of the row. `time` leaves out how long the watch held the row. That is not recorded: another
    /// tap ends the hold early.
    private static func removal(_ time: Microseconds, columns: Int) -> StyledText {
        let line = TapMark.settled.title.padded(to: 13) + time.milliseconds.padded(to: 6, .right)
        return StyledText(line + (columns >= 38 ? "  without the hold" : "  + hold"))
    }

    static func haptic(_ haptic: WatchStatus.Haptic) -> PanelBlock {
        let line =
            switch haptic {
            case .none: StyledText("nothing yet")
            case .quiet(let pattern, let count):
                StyledText("\(pattern.pulses)  \(pattern.label), \(count) in all")
            case .playing(let pattern, let count):
                StyledText([
                    .init(text: pattern.pulses, style: TextStyle(.yellow, weight: .bold)),
                    .init(text: "  \(pattern.label), \(count) in all", style: .bold),
                ])
            }
        return PanelBlock(heading: "Haptic", lines: [line])
    }

    static func watch(_ status: WatchStatus, view: ViewKind) -> PanelBlock {
        let setup = StyledText("\(status.label.profile), \(status.label.handler) handler")
        let unusual = TextStyle(.yellow, weight: .bold)
        let shown = StyledText("\(view.rawValue) view")
        var words = status.batteryWords + status.recordingWords
        guard let simulation = status.simulation else {
            return PanelBlock(heading: "Watch", lines: [setup, shown] + words.map { StyledText($0, unusual) })
        }
        let clock = simulation.clock
        // In a pause, `pace` gets its own line, because it may also name the last event before the pause.
        words = (clock.isPaused ? [simulation.pace] : []) + simulation.faults.words + words
        let pace =
            switch (clock.isPaused, clock.words) {
            case (true, _): StyledText("")
            case (false, let words?): StyledText(", ") + StyledText(words, unusual)
            case (false, nil): StyledText(", speed 1x")
            }
        return PanelBlock(heading: "Watch", lines: [setup, shown + pace] + words.map { StyledText($0, unusual) })
    }

    static func keys(_ hints: [KeyMap.Hint]) -> PanelBlock {
        let width = hints.map { TextPieces($0.keys).columns }.max() ?? 0
        let lines = hints.map { hint in
            StyledText([
                .init(text: hint.keys.padded(to: width), style: .bold), .init(text: "  " + hint.meaning, style: .plain),
            ])
        }
        return PanelBlock(heading: "Keys", lines: lines)
    }
}

enum SidePanel {
    /// Draws as many blocks as fit into `rect`, from row `top` downwards. This row is the upper edge of the case. If the blocks
    /// need more rows, the first block begins higher up.
    static func drawBeside(
        _ status: WatchStatus, view: ViewKind, hints: [KeyMap.Hint], in rect: CellRect, top: Int,
        on canvas: inout TextCanvas
    ) {
        let columns = rect.size.columns
        var blocks: [PanelBlock] = [
            .watch(status, view: view), .phone(status), .list(status),
            .lastTap(status.lastTap, columns: columns), .haptic(status.haptic),
        ]
        while blocks.count > 1 && height(of: blocks, gap: 0) > rect.size.rows { blocks.removeLast() }
        // If room is short, keys are left out first, beginning with the least important ones. The key `?` shows all keys.
        let room = rect.size.rows - height(of: blocks, gap: 0)
        if room >= KeyMap.fewestHints + 1 {
            blocks.append(.keys(Array(hints.prefix(room - 1))))
        } else if room >= 2 {
            blocks.append(.keys(KeyMap.shortestHints(rows: room - 1)))
        }
        let gap = height(of: blocks, gap: 1) <= rect.size.rows ? 1 : 0
        var row = max(rect.origin.row, min(top, rect.rowRange.upperBound - height(of: blocks, gap: gap)))
        for block in blocks {
            draw(block, at: CellPoint(column: rect.origin.column, row: row), columns: columns, on: &canvas)
            row += block.rows + gap
        }
    }

    static func drawBelow(
        _ status: WatchStatus, view: ViewKind, hints: [KeyMap.Hint], in rect: CellRect, on canvas: inout TextCanvas
    ) {
        let gap = 3
        let columns = (rect.size.columns - 2 * gap) / 3
        let stacks: [[PanelBlock]] = [
            [.watch(status, view: view), .phone(status), .list(status), .haptic(status.haptic)],
            [.lastTap(status.lastTap, columns: columns)], [.keys(hints)],
        ]
        for (index, stack) in stacks.enumerated() {
            var row = rect.origin.row
            for block in stack {
                var shown = block
                let room = rect.rowRange.upperBound - row
                guard room >= 2 else { break }
                shown.lines = Array(block.lines.prefix(room - 1))
                draw(
                    shown, at: CellPoint(column: rect.origin.column + index * (columns + gap), row: row),
                    columns: columns, on: &canvas)
                row += shown.rows
            }
        }
    }

    private static func height(of blocks: [PanelBlock], gap: Int) -> Int {
        blocks.reduce(0) { $0 + $1.rows } + gap * (blocks.count - 1)
    }

    private static func draw(_ block: PanelBlock, at point: CellPoint, columns: Int, on canvas: inout TextCanvas) {
        let heading = canvas.write(block.heading + " ", at: point, style: .bold, limit: columns)
        canvas.fill(
            CellRect(column: point.column + heading, row: point.row, columns: columns - heading, rows: 1),
            with: "─", style: .decoration)
        for (index, line) in block.lines.enumerated() {
            canvas.write(line, at: CellPoint(column: point.column, row: point.row + 1 + index), limit: columns)
        }
    }
}

extension HapticPattern {
    var label: String {
        switch self {
        case .click: "click"
        case .success: "success"
        case .failure: "failure"
        }
    }

    var pulses: String {
        switch self {
        case .click: "▁▁█▁▁"
        case .success: "▁█▁█▁"
        case .failure: "▁███▁"
        }
    }
}

enum Bar {
    /// A bar in steps of half a column, at least half a column long. If `fraction` is 1, the bar takes all columns.
    static func text(_ fraction: Double, columns: Int) -> String {
        guard columns > 0 else { return "" }
        let halves = max(1, Int((max(0, min(1, fraction)) * Double(columns * 2)).rounded()))
        return String(repeating: "━", count: halves / 2) + (halves % 2 == 1 ? "╸" : "")
    }
}

extension String {
    enum Flush {
        case left
        case right
    }

    func padded(to columns: Int, _ flush: Flush = .left) -> String {
        let space = String(repeating: " ", count: max(0, columns - TextPieces(self).columns))
        switch flush {
        case .left: return self + space
        case .right: return space + self
        }
    }
}
