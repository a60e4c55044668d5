import DeviceModel
import Watch

/// What a key or a click asks for.
public enum TerminalCommand: Equatable, Sendable {
    /// Something the wearer does to the watch.
    case input(Input)
    /// A tap on the row that is shown at this place of the list, 0 for the uppermost.
    case tapVisibleRow(Int)
    /// A tap on the face's complication, which opens the list.
    case openComplication
    /// Move the view by this many quarters of the window's width and height.
    case pan(columns: Int, rows: Int)
    /// Pause or resume the watch.
    case togglePause
    /// Run until the next event, then pause.
    case step
    /// Change the speed.
    case changeSpeed(SpeedChange)
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
    /// End, for the reason given.
    case quit
    /// Nothing: the key has no meaning.
    case nothing
}

/// A change of a watch's speed.
public enum SpeedChange: Equatable, Sendable {
    /// To the next faster one.
    case faster
    /// To the next slower one.
    case slower
}

/// Which key does what.
public enum KeyMap {
    /// What `key` asks for.
    public static func command(for key: KeyPress) -> TerminalCommand {
        switch key {
        case .text(let text): command(forText: text)
        case .named(let name): command(forName: name)
        }
    }

    /// The command of `key` while the faults are shown: a digit changes a fault, most other keys hide the faults.
    static func commandInFaults(for key: KeyPress) -> TerminalCommand {
        if case .text(let text) = key, let fault = Fault(key: text) { return .change(fault) }
        let command = command(for: key)
        return switch command {
        case .quit, .suspend, .redraw, .togglePause, .step, .changeSpeed, .change: command
        case .input, .tapVisibleRow, .openComplication, .pan, .toggleHelp, .toggleFaults, .nothing: .toggleFaults
        }
    }

    private static func command(forText text: String) -> TerminalCommand {
        switch text {
        case "q", "Q": .quit
        case "?", "h", "H": .toggleHelp
        case "p", "P": .togglePause
        case "n", "N": .step
        case ">", ".": .changeSpeed(.faster)
        case "<", ",": .changeSpeed(.slower)
        case "f", "F": .toggleFaults
        case "j", "+": .input(.crown(detents: 1))
        case "k", "-": .input(.crown(detents: -1))
        case "c", "C", " ": .input(.press(.crown))
        case "s", "S": .input(.press(.side))
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
        case "PageUp", "S-Up": .pan(columns: 0, rows: -1)
        case "PageDown", "S-Down": .pan(columns: 0, rows: 1)
        case "Left", "S-Left": .pan(columns: -1, rows: 0)
        case "Right", "S-Right": .pan(columns: 1, rows: 0)
        case "F1": .toggleHelp
        case "C-l": .redraw
        case "C-z": .suspend
        case "C-c", "C-d": .quit
        default: .nothing
        }
    }

    /// One line of the help.
    struct Hint: Equatable {
        /// The keys.
        var keys: String
        /// Their meaning, in a few words.
        var meaning: String
    }

    /// The keys that work the watch, the most important ones first.
    static let hints: [Hint] = [
        Hint(keys: "click", meaning: "touch the display"),
        Hint(keys: "1-\(RowGeometry.rowsVisible)", meaning: "tap that row"),
        Hint(keys: "↑ ↓", meaning: "turn the crown"),
        Hint(keys: "Enter", meaning: "press the crown"),
        Hint(keys: "s", meaning: "side button"),
        Hint(keys: "?", meaning: "help"),
        Hint(keys: "q", meaning: "quit"),
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

    /// The keys that matter where the display is cut off.
    static let panHints: [Hint] = [
        Hint(keys: "PgUp/PgDn", meaning: "move the view"),
        Hint(keys: "← →", meaning: "move it sideways"),
    ]
}
