import DeviceModel
import Watch

package enum KeyPress: Equatable {
    case text(String)
    /// A key with its modifiers, such as `Up`, `PageDown`, `Enter`, `C-c` or `S-Left`.
    case named(String)
}

enum Adjustment: Equatable {
    case swipe(ScriptSwipe)
    case wrist
    case hours

    func inputs(on description: ScreenDescription) -> [Input] {
        switch self {
        case .swipe(let direction):
            return .swipe(direction == .left ? 1 : -1)
        case .wrist:
            switch description.wrist {
            case .worn: return [.wrist(.removed)]
            case .removed: return [.wrist(.worn)]
            }
        case .hours:
            switch description.hours {
            case .twentyFourHours: return [.clock(.twelveHours)]
            case .twelveHours: return [.clock(.twentyFourHours)]
            }
        }
    }
}

enum TerminalCommand: Equatable {
    case input(Input)
    /// A finger touches this pixel. The finger lifts when the user releases the mouse button.
    case touch(PanelPixel)
    /// Tap the row at this position of the panel. Position 0 is the top row.
    case tapVisibleRow(Int)
    case scroll(detents: Int8)
    case adjust(Adjustment)
    case nextView
    case toggleRecording
    /// Move the window over the watch's picture. The unit is half of the window's width or height.
    case pan(columns: Int, rows: Int)
    case togglePause
    case step
    case faster
    case slower
    case toggleFaults
    case change(Fault)
    case toggleHelp
    case redraw
    case suspend
    case quit
    case nothing

    /// The position of the row that the command touches, from 0 directly below the title bar. Nil if it touches no row.
    var position: Int? {
        switch self {
        case .tapVisibleRow(let position): position
        case .touch(let pixel): RowGeometry.row(atY: pixel.y)
        case .input, .scroll, .adjust, .pan, .nextView, .toggleRecording, .togglePause, .step, .faster, .slower,
            .toggleFaults, .change, .toggleHelp, .redraw, .suspend, .quit, .nothing:
            nil
        }
    }
}

enum KeyMap {
    static func command(for key: KeyPress) -> TerminalCommand {
        switch key {
        case .text(let text): command(forText: text)
        case .named(let name): command(forName: name)
        }
    }

    static func commandInHelp(for key: KeyPress) -> TerminalCommand {
        let command = command(for: key)
        return switch command {
        case .quit, .suspend, .redraw, .toggleRecording: command
        case .input, .touch, .tapVisibleRow, .scroll, .adjust, .pan, .nextView, .togglePause, .step, .faster, .slower,
            .toggleFaults, .change, .toggleHelp, .nothing:
            .toggleHelp
        }
    }

    /// Returns the command for a key while the list of faults is shown. A digit changes a fault or does nothing. Most other
    /// keys close the list.
    static func commandInFaults(for key: KeyPress) -> TerminalCommand {
        if case .text(let text) = key {
            if let fault = Fault.all.first(where: { $0.key == text }) { return .change(fault) }
            // A wrong digit must not close the list, because the next digit would then tap a row.
            if text.allSatisfy(\.isNumber) { return .nothing }
        }
        let command = command(for: key)
        return switch command {
        case .quit, .suspend, .redraw, .toggleRecording, .togglePause, .step, .faster, .slower, .change: command
        case .input, .touch, .tapVisibleRow, .scroll, .adjust, .pan, .nextView, .toggleHelp, .toggleFaults, .nothing:
            .toggleFaults
        }
    }

    private static func command(forText text: String) -> TerminalCommand {
        switch text {
        case "q", "Q": .quit
        case "?", "h", "H": .toggleHelp
        case "p", "P": .togglePause
        case "n", "N": .step
        case ">", ".": .faster
        case "<", ",": .slower
        case "f", "F": .toggleFaults
        case "v", "V": .nextView
        case "r", "R": .toggleRecording
        case "]": .adjust(.swipe(.left))
        case "[": .adjust(.swipe(.right))
        case "w", "W": .adjust(.wrist)
        case "t", "T": .adjust(.hours)
        case "u", "U": .input(.wrist(.raised))
        case "j", "+": .input(.crown(detents: 1))
        case "k", "-": .input(.crown(detents: -1))
        case "c", "C", " ": .input(.press(.crown))
        case "s", "S": .input(.press(.side))
        case "y", "Y": .input(.hold(.crown))
        case "a", "A": .input(.hold(.side))
        case "1", "2", "3", "4", "5", "6", "7", "8", "9": .tapVisibleRow((Int(text) ?? 1) - 1)
        default: .nothing
        }
    }

    private static func command(forName name: String) -> TerminalCommand {
        switch name {
        case "Up": .input(.crown(detents: -1))
        case "Down": .input(.crown(detents: 1))
        case "Enter": .input(.press(.crown))
        case "Backspace", "DEL", "Tab": .input(.press(.side))
        case "PageUp": .scroll(detents: -Int8(RowGeometry.rowsVisible))
        case "PageDown": .scroll(detents: Int8(RowGeometry.rowsVisible))
        // The largest turn in one input, which is longer than any list.
        case "Home": .scroll(detents: -.max)
        case "End": .scroll(detents: .max)
        case "S-Up": .pan(columns: 0, rows: -1)
        case "S-Down": .pan(columns: 0, rows: 1)
        case "Left", "S-Left": .pan(columns: -1, rows: 0)
        case "Right", "S-Right": .pan(columns: 1, rows: 0)
        case "F1": .toggleHelp
        case "C-l": .redraw
        case "C-z": .suspend
        case "C-c", "C-d", "C-\\": .quit
        default: .nothing
        }
    }

    struct Hint: Equatable {
        var keys: String
        var meaning: String
    }

    /// Sorted by importance, the most important first, because the side panel shows only as many as fit.
    static let hints: [Hint] = [
        Hint(keys: "click", meaning: "touch, drag or hold"),
        Hint(keys: "1-\(RowGeometry.rowsVisible)", meaning: "tap that row"),
        Hint(keys: "↑ ↓", meaning: "turn the crown"),
        Hint(keys: "Enter", meaning: "press the crown"),
        Hint(keys: "s", meaning: "side button"),
        Hint(keys: "?", meaning: "help"),
        Hint(keys: "q", meaning: "quit"),
        Hint(keys: "PgUp/PgDn", meaning: "six rows; Home, End"),
        Hint(keys: "v", meaning: "another view"),
        Hint(keys: "[ ]", meaning: "swipe"),
        Hint(keys: "w u", meaning: "wrist off/on, raise"),
        Hint(keys: "t", meaning: "12 or 24 hours"),
        Hint(keys: "r", meaning: "record, and end that"),
    ]
    static let fewestHints = 7

    /// Returns at most `rows` hints, for a side panel with too few rows for `fewestHints`. Some hints combine several keys.
    static func shortestHints(rows: Int) -> [Hint] {
        let most = [
            Hint(keys: "? q", meaning: "all keys, quit"), Hint(keys: "v", meaning: "another view"),
            Hint(keys: "p n f", meaning: "pause, step, faults"), Hint(keys: "< >", meaning: "slower, faster"),
        ]
        return Array(most.prefix(rows))
    }

    static let pairingHints: [Hint] = [
        Hint(keys: "y", meaning: "hold the crown: yes"),
        Hint(keys: "a", meaning: "hold side: pair"),
    ]

    static let simulationHints: [Hint] = [
        Hint(keys: "p", meaning: "pause, resume"),
        Hint(keys: "n", meaning: "single step"),
        Hint(keys: "< >", meaning: "slower, faster"),
        Hint(keys: "f", meaning: "faults"),
    ]

    static func hints(_ faults: WatchFaults) -> [Hint] {
        Fault.byKey.map { Hint(keys: $0.key, meaning: $0.meaning(faults)) }
    }

    static let all: [Hint] = [
        Hint(keys: "click", meaning: "touch, drag or hold"),
        Hint(keys: "1-\(RowGeometry.rowsVisible)", meaning: "tap that row"),
        Hint(keys: "↑ ↓ j k + -", meaning: "turn the crown"),
        Hint(keys: "PgUp PgDn", meaning: "six rows up, down"),
        Hint(keys: "Home End", meaning: "an end of the list"),
        Hint(keys: "Enter c Space", meaning: "press the crown"),
        Hint(keys: "s Tab Backspace", meaning: "side button"),
        Hint(keys: "y", meaning: "hold the crown: yes"),
        Hint(keys: "a", meaning: "hold side: pair"),
        Hint(keys: "[ ]", meaning: "swipe"),
        Hint(keys: "w u", meaning: "wrist off/on, raise"),
        Hint(keys: "t", meaning: "12 or 24 hours"),
        Hint(keys: "v", meaning: "another view"),
        Hint(keys: "Shift-↑ Shift-↓", meaning: "move the view"),
        Hint(keys: "← →", meaning: "move it sideways"),
        Hint(keys: "r", meaning: "record, end that"),
        Hint(keys: "p", meaning: "pause, resume"),
        Hint(keys: "n", meaning: "single step"),
        Hint(keys: "< > , .", meaning: "slower, faster"),
        Hint(keys: "f", meaning: "faults"),
        Hint(keys: "Ctrl-L", meaning: "draw again"),
        Hint(keys: "Ctrl-Z", meaning: "suspend"),
        Hint(keys: "? h F1", meaning: "help"),
        Hint(keys: "q Ctrl-C", meaning: "quit"),
        Hint(keys: "Ctrl-D Ctrl-\\", meaning: "quit"),
    ]

    static let panRowsHint = Hint(keys: "Shift-↑↓", meaning: "move the view")
    static let panColumnsHint = Hint(keys: "← →", meaning: "move it sideways")
}
