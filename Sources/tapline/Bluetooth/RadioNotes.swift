import BluetoothBridge
import Foundation
import HostSystem
import Synchronization

/// The messages of a watch's Bluetooth for the user, one line each on the standard error. While the terminal shows the watch they
/// are held back, because they would disturb the picture.
final class RadioNotes: Sendable {
    private enum Voice {
        /// Each line is written at once.
        case aloud(last: String?)
        /// These lines are held back, and `leftOut` more are dropped.
        case held([String], leftOut: Int)
    }

    /// The most lines to hold back.
    static let mostHeld = 100

    private let voice: Mutex<Voice>
    private let way: String
    private let output: @Sendable (String) -> Void

    /// Notes that are written at once, or held back until `release()`.
    ///
    /// - Parameters:
    ///   - isHeld: whether the notes are held back.
    ///   - way: what the user does to let phones pair.
    ///   - write: writes a line, which includes its line break.
    init(
        isHeld: Bool, toLetPair way: String = "hold the side button on the watch's face",
        write: @escaping @Sendable (String) -> Void = { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) }
    ) {
        voice = Mutex(isHeld ? .held([], leftOut: 0) : .aloud(last: nil))
        self.way = way
        output = write
    }

    /// Writes a note. If the same line follows itself, it is written once, so that a phone that keeps trying does not fill the
    /// screen.
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

    /// Writes the lines that were held back, at most 100. From now on each line is written at once.
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
