import DeviceModel
import HostSystem
import Testing
import Watch
import WatchLink
import Wormhole

@testable import PhoneHost

/// The recordings of links of every earlier version, played to either side: each answers as it did, or says goodbye with
/// a reason and keeps what it had.
@Suite(.timeLimit(.minutes(60))) struct FrozenLinkTests {
    static let links = FrozenFile.all(in: "links", withExtension: "link")

    @Test func `every kind of link is there`() {
        #expect(FrozenLinkTests.links.count >= 4)
    }

    @Test(arguments: links) func `the watch answers as it did`(_ file: FrozenFile) throws {
        let written = try WrittenDown(try file.beside("expected").text())
        let tape = try Tape(try file.text())
        let chip = MemoryFlash(frozen: try file.beside("flash").bytes())
        if file.name == "links/reload.link" {
            expect(played(tape, to: try FrozenWatch(chip, handler: LegacyHandler())), tape, written)
        } else {
            expect(played(tape, to: try FrozenWatch(chip, handler: ShippingHandler())), tape, written)
        }
    }

    @Test(arguments: links) func `the phone answers as it did`(_ file: FrozenFile) async throws {
        let written = try WrittenDown(try file.beside("expected").text())
        let tape = try Tape(try file.text())
        let phone = try await FrozenPhone(opening: file.beside("sqlite"))
        let answers = try await play(tape, to: phone)
        if answers.contains(where: \.isGoodbye) {
            // Where it has put two lists into one, the recording acknowledges what was never sent.
            let (rows, history) = (try await phone.rows(), try await phone.history())
            #expect(
                rows == written["phone row"] && history == written["phone history"]
                    || rows == written["played row"] && history == written["played history"])
        } else {
            #expect(try await phone.rows() == written["played row"])
            #expect(try await phone.history() == written["played history"])
            #expect(Set(answers.filter(\.isList)) == Set(tape.toWatch.filter(\.isList)))
        }
        try await phone.stop()
    }

    // MARK: The watch

    /// What a watch said, and what it has then.
    private struct Outcome {
        var answers: [[UInt8]]
        var waiting: UInt32
        var isShowing: ([String]) -> Bool
    }

    private func played(_ tape: Tape, to watch: FrozenWatch<some TapHandler>) -> Outcome {
        watch.play(tape)
        return Outcome(
            answers: watch.port.recording.fromWatch, waiting: watch.screen.waitingMessages, isShowing: watch.show)
    }

    private func expect(_ outcome: Outcome, _ tape: Tape, _ written: WrittenDown) {
        if outcome.answers.contains(where: \.isGoodbye) {
            #expect(Int(outcome.waiting) >= written["watch waiting"].count)
        } else {
            #expect(outcome.isShowing(written["played row"]))
            #expect(outcome.waiting == 0)
            #expect(outcome.answers.filter(\.isQueued) == tape.fromWatch.filter(\.isQueued))
        }
    }

    // MARK: The phone

    /// Sends what the watch sent, each datagram after the answers that it came after, and returns the answers.
    private func play(_ tape: Tape, to phone: FrozenPhone) async throws -> [[UInt8]] {
        let transport = try await phone.link.connector.connect()
        let heard = WaitableState(Heard())
        let listening = Task {
            while let datagram = try? await transport.receive() { heard.change { $0.answers.append(datagram) } }
            heard.change { $0.channel = .closed }
        }
        var due: [[UInt8]] = []
        for line in tape.lines {
            switch line {
            case .tap: break
            case .toWatch(let bytes): due.append(bytes)
            case .fromWatch(let bytes):
                await answers(like: due, heard)
                do { try await transport.send(bytes) } catch { break }
            }
        }
        await answers(like: due, heard)
        await phone.settle()
        transport.close()
        await listening.value
        return heard.value.answers
    }

    private struct Heard {
        enum Channel {
            case open
            case closed
        }

        var answers: [[UInt8]] = []
        var channel = Channel.open
    }

    /// Returns once the phone has given as many answers of each kind, which may be in another order, has closed the channel,
    /// or has had two seconds for them: a later version may need fewer.
    private func answers(like due: [[UInt8]], _ heard: WaitableState<Heard>) async {
        func counts(_ datagrams: [[UInt8]]) -> [UInt8?: Int] {
            datagrams.reduce(into: [:]) { $0[$1.first, default: 0] += 1 }
        }
        let needed = counts(due)
        await withTaskGroup { group in
            group.addTask {
                _ = await heard.wait { heard in
                    switch heard.channel {
                    case .open:
                        let given = counts(heard.answers)
                        return needed.allSatisfy { given[$0.key, default: 0] >= $0.value } ? true : nil
                    case .closed: return true
                    }
                }
            }
            // The deadline of the other task.
            group.addTask { try? await Task.sleep(for: .seconds(2)) }
            await group.next()
            group.cancelAll()
        }
    }
}

extension [UInt8] {
    fileprivate var isGoodbye: Bool {
        guard case .goodbye = try? ControlFrame(span) else { return false }
        return true
    }

    fileprivate var isQueued: Bool { first == FrameKind.queued.rawValue }

    /// Whether this is a part of the list for the watch.
    fileprivate var isList: Bool {
        guard isQueued, let header = try? MessageHeader(span), let body = try? MessageBody(span, header: header) else {
            return false
        }
        return ApplicationMessage(name: body.name) == .list
    }
}
