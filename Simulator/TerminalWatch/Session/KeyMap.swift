import DeviceModel
import Watch

/// A key as a terminal reports it.
enum KeyPress: Equatable {
    /// A key that stands for a character.
    case text(String)
    /// A named key with its modifiers in front: `Up`, `PageDown`, `Enter`, `C-c`, `S-Left`.
    case named(String)
}

/// How far the list is scrolled by one key.
enum Scroll {
    case pageUp
    case pageDown
    case top
    case bottom

    /// How far the crown turns for it, down when positive: as many detents as the panel has rows, or as an input can have, which is
    /// more than the list has rows.
    var detents: Int8 {
        switch self {
        case .pageUp: -Int8(RowGeometry.rowsVisible)
        case .pageDown: Int8(RowGeometry.rowsVisible)
        case .top: -.max
        case .bottom: .max
        }
    }
}

/// What a key changes about the watch.
enum Adjustment: Equatable {
    /// The wearer swipes: to another face, or from the list to the past items.
    case swipe(ScriptSwipe)
    /// Off the wrist, or on again.
    case wrist
    /// The face counts the hours to 12 or to 24.
    case hours

    /// The inputs for it, on a watch that shows this.
    func inputs(on description: ScreenDescription) -> [Input] {
        switch self {
        case .swipe(let direction):
            let (from, to) = direction.pixels
            return [.touch(x: from.x, y: from.y), .moved(x: to.x, y: to.y), .lifted(x: to.x, y: to.y)]
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

/// What a key or a click asks for.
enum TerminalCommand: Equatable {
    /// Something the wearer does to the watch.
    case input(Input)
    /// A finger on a pixel of the panel, which lifts when the button goes up.
    case touch(PanelPixel)
    /// A tap on a pixel of the panel.
    case tap(PanelPixel)
    /// A tap on the row that is shown at this place of the list, 0 for the uppermost.
    case tapVisibleRow(Int)
    /// Scroll the list.
    case scroll(Scroll)
    /// Change something about the watch that depends on how it is.
    case adjust(Adjustment)
    /// Show the panel in another way.
    case nextView
    /// Show what has happened lately beside the watch, or the last tap again.
    case toggleEvents
    /// Begin to record the panel, or end that and write the file.
    case toggleRecording
    /// Move the view by this many halves of the window's width and height.
    case pan(columns: Int, rows: Int)
    /// Pause or resume the watch.
    case togglePause
    /// Run until the next event, then pause.
    case step
    /// Go to the next speed up.
    case faster
    /// Go to the next speed down.
    case slower
    /// Show or hide the faults.
    case toggleFaults
    /// Set a fault to its next size.
    case change(Fault)
    /// Show or hide the help.
    case toggleHelp
    /// Draw everything again.
    case redraw
    /// Give the terminal back to the shell until the job is continued.
    case suspend
    case quit
    /// The key has no meaning.
    case nothing

    /// The position of the row that it touches, if there is one: 0 for the one below the title bar.
    var position: Int? {
        switch self {
        case .tapVisibleRow(let position): position
        case .touch(let pixel), .tap(let pixel): RowGeometry.row(atY: pixel.y)
        case .input, .scroll, .adjust, .pan, .nextView, .toggleEvents, .toggleRecording, .togglePause, .step, .faster,
            .slower,
            .toggleFaults, .change, .toggleHelp, .redraw, .suspend, .quit, .nothing:
            nil
        }
    }
}

/// Which key does what.
enum KeyMap {
    /// The command of `key` while nothing covers the watch.
    static func command(for key: KeyPress) -> TerminalCommand {
        switch key {
        case .text(let text): command(forText: text)
        case .named(let name): command(forName: name)
        }
    }

    /// The command of `key` while the help is shown: most keys hide it.
    static func commandInHelp(for key: KeyPress) -> TerminalCommand {
        let command = command(for: key)
        return switch command {
        case .quit, .suspend, .redraw, .toggleRecording: command
        case .input, .touch, .tap, .tapVisibleRow, .scroll, .adjust, .pan, .nextView, .toggleEvents, .togglePause,
            .step,
            .faster, .slower, .toggleFaults, .change, .toggleHelp, .nothing:
            .toggleHelp
        }
    }

    /// The command of `key` while the faults are shown: a digit changes a fault or nothing, most other keys hide the faults.
    static func commandInFaults(for key: KeyPress) -> TerminalCommand {
        if case .text(let text) = key {
            if let fault = Fault(key: text) { return .change(fault) }
            // A slip beside the others: the next digit would check off a row if this one hid the faults.
            if text.allSatisfy(\.isNumber) { return .nothing }
        }
        let command = command(for: key)
        return switch command {
        case .quit, .suspend, .redraw, .toggleRecording, .togglePause, .step, .faster, .slower, .change: command
        case .input, .touch, .tap, .tapVisibleRow, .scroll, .adjust, .pan, .nextView, .toggleEvents, .toggleHelp,
            .toggleFaults,
            .nothing:
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
        case "l", "L": .toggleEvents
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
        case "PageUp": .scroll(.pageUp)
        case "PageDown": .scroll(.pageDown)
        case "Home": .scroll(.top)
        case "End": .scroll(.bottom)
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

    /// One line of the help.
    struct Hint: Equatable {
        var keys: String
        var meaning: String
    }

    /// The keys that work the watch, the most important ones first.
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
        Hint(keys: "l", meaning: "what has happened"),
        Hint(keys: "[ ]", meaning: "swipe"),
        Hint(keys: "w u", meaning: "wrist off/on, raise"),
        Hint(keys: "t", meaning: "12 or 24 hours"),
        Hint(keys: "r", meaning: "record, and end that"),
    ]
    /// The fewest of them that are listed: those up to the one to leave by.
    static let fewestHints = 7

    /// The keys where there is no room for a list: at most `rows` lines, of several keys each. At least 1.
    static func shortestHints(rows: Int) -> [Hint] {
        let most = [
            Hint(keys: "? q", meaning: "all keys, quit"), Hint(keys: "v l", meaning: "another view, events"),
            Hint(keys: "p n f", meaning: "pause, step, faults"), Hint(keys: "< >", meaning: "slower, faster"),
        ]
        return Array(most.prefix(rows))
    }

    /// The keys for pairing a phone.
    static let pairingHints: [Hint] = [
        Hint(keys: "y", meaning: "hold the crown: yes"),
        Hint(keys: "a", meaning: "hold side: pair"),
    ]

    /// The keys that control the simulation.
    static let simulationHints: [Hint] = [
        Hint(keys: "p", meaning: "pause, resume"),
        Hint(keys: "n", meaning: "single step"),
        Hint(keys: "< >", meaning: "slower, faster"),
        Hint(keys: "f", meaning: "faults"),
    ]

    /// The keys that change faults, with the present sizes.
    static func hints(_ faults: WatchFaults) -> [Hint] {
        FaultTable.faults.map { Hint(keys: $0.key, meaning: $0.meaning(faults)) }
    }

    /// Every key, for the help, which is all that lists some of them.
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
        Hint(keys: "l", meaning: "what has happened"),
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

    /// The keys that matter where rows of the display are out of view.
    static let panRowsHint = Hint(keys: "Shift-↑↓", meaning: "move the view")
    /// The keys that matter where columns of the display are out of view.
    static let panColumnsHint = Hint(keys: "← →", meaning: "move it sideways")
}
