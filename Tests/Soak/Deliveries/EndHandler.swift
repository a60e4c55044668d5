import Synchronization
import WatchLink
import Wormhole

/// What the program of an end does with what arrives: it takes messages from its inbox, answers questions and receives files, and
/// has a recorder note each.
struct EndHandler: Sendable {
    /// The names that it uses.
    enum Names {
        static let queue: MessageName = "queue"
        static let tick: MessageName = "tick"
        static let echo: MessageName = "echo"
        static let fails: MessageName = "fails"
        static let nobody: MessageName = "nobody"
    }

    /// A question: what it is known by, and how long the answer takes in milliseconds.
    struct Question: Codable, Sendable {
        let number: Int
        let answer: Int

        /// The answer that belongs to a question.
        static func reply(to number: Int) -> Int { number * 3 + 1 }
    }

    private struct AnswerFailed: Error {}

    /// The file that has begun to arrive last.
    final class Arriving: Sendable {
        private let newest = Mutex<ArrivingFile?>(nil)

        var file: ArrivingFile? { newest.withLock { $0 } }

        fileprivate func note(_ file: ArrivingFile) { newest.withLock { $0 = file } }
    }

    let end: LinkEnd
    let wormhole: Wormhole
    let store: MessageStore
    let recorder: FactRecorder
    let clock: ProgramClock
    let arriving = Arriving()

    /// Begins to listen, and then starts the endpoint: nothing that arrives is missed.
    func start(in directory: String) async throws(WormholeError) {
        let heard = wormhole.messages(withPrefix: "")
        let reception = try wormhole.receiveFiles(into: directory)
        _ = try wormhole.answer(Names.echo, of: Question.self) { [self] question, _ in try await answer(question) }
        _ = try wormhole.answer(Names.fails, of: Question.self) { [self] question, _ -> Int in
            _ = try await answer(question)
            throw AnswerFailed()
        }
        Task.detached { [self] in
            await takeKept()
            for await message in heard { await hear(message) }
        }
        Task.detached { [arriving] in for await file in reception.arriving { arriving.note(file) } }
        Task.detached { [recorder] in
            for await file in reception.files {
                let name = file.path.split(separator: "/").last.map(String.init) ?? ""
                recorder.sees(.received(name: name, bytes: file.length))
            }
        }
        for transfer in try await wormhole.filesUnderWay() { follow(transfer) }
        try await wormhole.start()
    }

    func close() async {
        await wormhole.close()
        await store.close()
    }

    /// Has the recorder see what becomes of a file, which is known by its label.
    func follow(_ transfer: FileTransfer) {
        Task.detached { [recorder] in
            for await fate in transfer.fates where fate.isFinal {
                recorder.sees(.ended(EndHandler.number(ofFile: transfer.label.text), fate))
            }
        }
    }

    /// The label of a file that is known by a number, and the number of a file that was stored under such a label.
    static func label(ofFile number: Int) -> String { "f\(number).bin" }
    static func number(ofFile name: String) -> Int {
        Int(name.dropFirst().prefix { $0.isASCII && $0.isNumber }) ?? 0
    }

    private func answer(_ question: Question) async throws -> Int {
        recorder.sees(.questioned(question.number))
        if question.answer > 0 {
            try await clock.sleep(until: clock.now + .milliseconds(UInt32(question.answer)))
        }
        return Question.reply(to: question.number)
    }

    private func hear(_ message: HeardMessage) async {
        guard case .peer = message.origin else { return }
        if message.isNotification { return recorder.sees(.notified) }
        switch message.delivery {
        case .queued, .complication: await takeKept()
        case .latest:
            guard let number = try? message.decoded(as: Int.self) else { return }
            recorder.sees(.heard(name: message.name.text, number: number))
        case .interactive, .file: break
        }
    }

    /// Takes what is in the inbox. Of a store that fails now the next message tells, or the next run.
    func takeKept() async {
        guard let kept = try? await store.inbox() else { return }
        for message in kept {
            let number = (try? MessageDecoder().decode(Int.self, from: message.payload)) ?? 0
            recorder.sees(.kept(inbox: message.number, number: number, delivery: message.delivery))
            guard (try? await store.take(message.number)) != nil else { return }
        }
    }
}
