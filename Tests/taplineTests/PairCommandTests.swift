import BluetoothBridge
import HostSystem
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
    private let lines = Published<[String]>([])

    private func notes(isHeld: Bool) -> RadioNotes {
        RadioNotes(isHeld: isHeld) { [lines] line in lines.update { $0.append(line) } }
    }

    @Test func `Each note is a line, and the same one is not told twice on end`() {
        let notes = notes(isHeld: false)
        notes.write(.parametersKept)
        notes.write(.parametersKept)
        notes.write(.noDaemon)
        notes.write(.parametersKept)
        #expect(lines.value == [BluetoothError.parametersKept, .noDaemon, .parametersKept].map { "tapline: \($0)\n" })
        notes.release()
        #expect(lines.value.count == 3)
    }

    @Test func `Of many that wait a hundred are told, and how many more there were`() {
        let notes = notes(isHeld: true)
        for number in 0..<10_000 { notes.write(number.isMultiple(of: 2) ? .parametersKept : .noDaemon) }
        notes.release()
        #expect(lines.value.count == 101)
        // Every second of the 9,900 others is what was told last.
        #expect(lines.value.last == "tapline: and 4950 more\n")
    }

    @Test func `While there is a picture they wait, and are told when it is gone`() {
        let notes = notes(isHeld: true)
        notes.write(.parametersKept)
        notes.write(.parametersKept)
        notes.write(.noDaemon)
        #expect(lines.value.isEmpty)
        notes.release()
        #expect(lines.value == [BluetoothError.parametersKept, .noDaemon].map { "tapline: \($0)\n" })
        notes.write(.noDaemon)
        #expect(lines.value.count == 2)
        notes.write(.parametersKept)
        #expect(lines.value.count == 3)
    }
}
