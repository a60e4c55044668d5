import BluetoothBridge
import Glibc
import HostSystem
import Testing

@testable import tapline

@Suite(.timeLimit(.minutes(60)))
struct AnsweringTerminalTests {
    /// The command's end of a terminal, and the end where the user types and reads. A socket pair replaces the
    /// terminal.
    private struct Ends {
        let terminal: AnsweringTerminal
        let person: OwnedDescriptor

        init() throws {
            let (near, far) = try Descriptors.socketPair(SOCK_STREAM)
            try Descriptors.setNonBlocking(near)
            terminal = AnsweringTerminal(owning: near)
            person = OwnedDescriptor(far)
        }

        func type(_ text: String) { _ = person.with { write($0, text, text.utf8.count) } }

        /// Waits until the command has written `count` bytes, and returns them; fewer if the terminal closes.
        func read(_ count: Int) async throws -> String {
            try await SystemThread.result { [person] in
                var bytes: [UInt8] = []
                while bytes.count < count {
                    var more = [UInt8](repeating: 0, count: count)
                    let got = person.with { Glibc.read($0, &more, count) } ?? 0
                    guard got > 0 else { break }
                    bytes += more.prefix(got)
                }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    private let request: PairingRequest
    private let question = "Does the phone show 042 017? [y/n] "
    private let lines = Published<[String]>([])
    private let notes: RadioNotes

    init() throws {
        let peer = BluetoothPeer(try #require(BluetoothAddress("00:AA:01:00:00:23")), .public)
        request = PairingRequest(peer: peer, adapter: "hci0", digits: "042017")
        notes = RadioNotes(isHeld: false) { [lines] line in lines.update { $0.append(line) } }
    }

    @Test(
        arguments: [
            ("y\n", .accept), ("YES\n", .accept), ("n\n", .reject), ("\n", .reject), ("yy\n", .reject),
            (String(repeating: "y", count: 1_000) + "\n", .reject),
        ] as [(String, PairingDecision)])
    func `Yes is yes, and anything else is no`(_ typed: String, _ decision: PairingDecision) async throws {
        let ends = try Ends()
        async let answer = TerminalWearer(notes) { ends.terminal }.compare(request)
        #expect(try await ends.read(question.utf8.count) == question)
        ends.type(typed)
        #expect(await answer == decision)
        #expect(lines.value.isEmpty)
    }

    @Test func `A terminal that is gone is no yes`() async throws {
        let ends = try Ends()
        async let answer = TerminalWearer(notes) { ends.terminal }.compare(request)
        _ = try await ends.read(question.utf8.count)
        ends.person.close()
        #expect(await answer == .reject)
    }

    @Test
    func `Where the phone gives up the question is taken back, and what is typed then is not read`() async throws {
        let ends = try Ends()
        let asking = Task { [notes, request] in await TerminalWearer(notes) { ends.terminal }.compare(request) }
        _ = try await ends.read(question.utf8.count)
        asking.cancel()
        #expect(await asking.value == .reject)
        let words = "\nThe question is over.\n"
        #expect(try await ends.read(words.utf8.count) == words)
    }

    @Test(
        arguments: [
            (
                .noTerminal,
                "00:AA:01:00:00:23 wants to pair, and there is no terminal for comparing the digits 042017: run this in a terminal once, with --pairing"
            ),
            (
                .inBackground,
                "00:AA:01:00:00:23 wants to pair, and this runs in the background: bring it to the front (fg), and pair again"
            ),
        ] as [(AnsweringTerminal.Absence, String)])
    func `If no user can be asked the answer is no, and a line says what to do`(
        _ absence: AnsweringTerminal.Absence, _ words: String
    ) async {
        let wearer = TerminalWearer(notes) { () throws(AnsweringTerminal.Absence) in throw absence }
        #expect(await wearer.compare(request) == .reject)
        #expect(lines.value == ["tapline: \(words)\n"])
    }

    @Test func `That no phone may pair is told after one might`() {
        let news = PairingNews()
        #expect(!news.isDue(.pairingClosed))
        #expect(news.isDue(.paired(request.peer)))
        #expect(news.isDue(.pairingOpen) && news.isDue(.pairingClosed))
    }

    @Test func `What lets phones pair is said as the command wants it`() {
        let notes = RadioNotes(isHeld: false, toLetPair: "start this again") { [lines] line in
            lines.update { $0.append(line) }
        }
        notes.write(.pairingClosed)
        notes.write(.notConfirmed(request.peer, resuming: nil))
        #expect(
            lines.value == [
                "tapline: no phone may pair now: start this again to let one\n",
                "tapline: the digits of 00:AA:01:00:00:23 were not confirmed on both sides: no phone may pair until you start this again\n",
            ])
    }
}
