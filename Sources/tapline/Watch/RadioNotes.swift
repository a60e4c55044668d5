import BluetoothBridge
import Foundation
import Synchronization

/// What a watch's radio has to tell whoever has started the watch: one line each on the standard error. While a picture of the
/// watch is in the terminal they wait, because they would be written into it.
final class RadioNotes: Sendable {
    private enum Voice {
        /// Each is told as it comes.
        case aloud(last: String?)
        /// These wait.
        case held([String])
    }

    private let voice: Mutex<Voice>
    private let write: @Sendable (String) -> Void

    /// Notes that are told as they come, or wait for `release()`.
    ///
    /// - Parameters:
    ///   - isHeld: whether they wait.
    ///   - write: takes a line with its end.
    init(
        isHeld: Bool,
        write: @escaping @Sendable (String) -> Void = { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) }
    ) {
        voice = Mutex(isHeld ? .held([]) : .aloud(last: nil))
        self.write = write
    }

    /// Tells something. What was told last is not told again, so that a phone that tries again and again fills no screen.
    func tell(_ error: BluetoothError) {
        let line = "tapline: \(error)\n"
        let isDue = voice.withLock { voice in
            switch voice {
            case .aloud(let last):
                voice = .aloud(last: line)
                return line != last
            case .held(let lines):
                if line != lines.last { voice = .held(lines + [line]) }
                return false
            }
        }
        if isDue { write(line) }
    }

    /// Tells what has waited; from now on nothing waits.
    func release() {
        let waiting = voice.withLock { voice in
            switch voice {
            case .aloud: return [String]()
            case .held(let lines):
                voice = .aloud(last: lines.last)
                return lines
            }
        }
        for line in waiting { write(line) }
    }
}
