import BluetoothBridge
import Synchronization
import Testing

@testable import tapline

struct WatchChoiceTests {
    private func watch(
        _ number: UInt8, _ name: String?, _ trust: BluetoothDevice.Trust = .stranger,
        _ connection: BluetoothDevice.Connection = .none
    ) throws -> BluetoothDevice {
        BluetoothDevice(
            peer: BluetoothPeer(try #require(BluetoothAddress(bytes: [0, 0xAA, 1, 0, 0, number])), .public),
            name: name, presence: trust == .stranger ? .heard(signalStrength: -40) : .unheard, trust: trust,
            connection: connection, services: [.tapline])
    }

    @Test
    func `What is paired is listed as such, what is new is marked, and one that uses a name twice is warned of`() throws
    {
        let choice = WatchChoice(among: [try watch(2, "wrist"), try watch(1, "wrist", .bonded, .resolved)])
        #expect(
            choice.lines == [
                "00:AA:01:00:00:01  wrist  paired, connected", "00:AA:01:00:00:02  wrist  -40 dBm  new",
                "Several watches are called wrist: compare the addresses",
            ])
        #expect(choice.question == "Pair with wrist, 00:AA:01:00:00:02? [y/n] ")
    }

    @Test(arguments: [nil, "", "n", "no", "1", "maybe"])
    func `One candidate is taken with a yes and nothing else`(_ refusal: String?) throws {
        let choice = WatchChoice(among: [try watch(2, "wrist")])
        #expect(choice.watch(for: refusal) == nil)
        for yes in ["y", "Y", " yes"] { #expect(choice.watch(for: yes)?.peer == choice.candidates[0].peer) }
        #expect(choice.lines == ["00:AA:01:00:00:02  wrist  -40 dBm  new"])
    }

    @Test func `Of several candidates one is taken by its number, and none by a yes`() throws {
        let choice = WatchChoice(among: [try watch(3, nil), try watch(2, "wrist")])
        #expect(
            choice.lines == [
                "00:AA:01:00:00:02  wrist  -40 dBm  new: 1", "00:AA:01:00:00:03  (no name)  -40 dBm  new: 2",
            ])
        #expect(choice.question == "Pair with which? [1-2, n] ")
        #expect(choice.watch(for: "2")?.name == nil)
        #expect(choice.watch(for: "1")?.name == "wrist")
        for answer in [nil, "y", "yes", "0", "3", "-1", ""] as [String?] { #expect(choice.watch(for: answer) == nil) }
    }
}

struct RadioNotesTests {
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
