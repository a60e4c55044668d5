import BluetoothBridge
import Foundation
import HostSystem
import Synchronization

/// Prints the events of a watch's Bluetooth to standard error. While the terminal shows the watch, the lines wait, because they
/// would disturb the picture.
final class RadioNotes: Sendable {
    private enum Voice {
        /// Lines are printed at once. The latest line is `last`.
        case aloud(last: String?)
        /// Lines wait until `release()`. Only the first `mostHeld` lines are kept. The number of dropped lines is `leftOut`.
        case held([String], leftOut: Int)
    }

    static let mostHeld = 100

    private let voice: Mutex<Voice>
    private let way: String
    private let output: @Sendable (String) -> Void

    /// - Parameters:
    ///   - isHeld: whether lines wait until `release()`.
    ///   - way: what the user must do to let phones pair.
    ///   - write: prints one line, which ends with a line break.
    init(
        isHeld: Bool, toLetPair way: String = "hold the side button on the watch's face",
        write: @escaping @Sendable (String) -> Void = { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) }
    ) {
        voice = Mutex(isHeld ? .held([], leftOut: 0) : .aloud(last: nil))
        self.way = way
        output = write
    }

    /// Writes the note, unless its line repeats the previous line. A phone that keeps trying to connect would otherwise
    /// fill the screen.
    func write(_ note: PeripheralNote) { write(note.line(toLetPair: way)) }

    func write(_ error: BluetoothError) { write("\(error)") }

    func write(_ text: String) {
        let line = "tapline: \(SanitizedLine(text))\n"
        let isDue = voice.withLock { voice in
            switch voice {
            case .aloud(let last):
                voice = .aloud(last: line)
                return line != last
            case .held(let lines, let leftOut):
                guard line != lines.last else { return false }
                voice =
                    lines.count < RadioNotes.mostHeld
                    ? .held(lines + [line], leftOut: 0) : .held(lines, leftOut: leftOut + 1)
                return false
            }
        }
        if isDue { output(line) }
    }

    /// Prints the lines that waited. From now on each line is printed at once.
    func release() {
        let waiting = voice.withLock { voice in
            switch voice {
            case .aloud: return [String]()
            case .held(let lines, let leftOut):
                voice = .aloud(last: lines.last)
                return leftOut == 0 ? lines : lines + ["tapline: and \(leftOut) more\n"]
            }
        }
        for line in waiting { output(line) }
    }
}
