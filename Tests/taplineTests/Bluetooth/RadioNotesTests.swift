import BluetoothBridge
import Synchronization
import Testing

@testable import tapline

struct RadioNotesTests {
    /// Lines that were written.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func append(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private let lines = Lines()

    @Test func `Each note is a line, and the same one is not told twice on end`() {
        let notes = RadioNotes(isHeld: false) { [lines] in lines.append($0) }
        notes.write(.parametersKept)
        notes.write(.parametersKept)
        notes.write(.noDaemon)
        notes.write(.parametersKept)
        #expect(lines.all == [BluetoothError.parametersKept, .noDaemon, .parametersKept].map { "tapline: \($0)\n" })
        notes.release()
        #expect(lines.all.count == 3)
    }

    @Test func `Of many that wait a hundred are told, and how many more there were`() {
        let notes = RadioNotes(isHeld: true) { [lines] in lines.append($0) }
        for number in 0..<10_000 { notes.write(number.isMultiple(of: 2) ? .parametersKept : .noDaemon) }
        notes.release()
        #expect(lines.all.count == 101)
        // Every second of the 9,900 others is what was told last.
        #expect(lines.all.last == "tapline: and 4950 more\n")
    }

    @Test func `While there is a picture they wait, and are told when it is gone`() {
        let notes = RadioNotes(isHeld: true) { [lines] in lines.append($0) }
        notes.write(.parametersKept)
        notes.write(.parametersKept)
        notes.write(.noDaemon)
        #expect(lines.all.isEmpty)
        notes.release()
        #expect(lines.all == [BluetoothError.parametersKept, .noDaemon].map { "tapline: \($0)\n" })
        notes.write(.noDaemon)
        #expect(lines.all.count == 2)
        notes.write(.parametersKept)
        #expect(lines.all.count == 3)
    }
}
