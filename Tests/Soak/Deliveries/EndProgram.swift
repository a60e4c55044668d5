import DeviceModel
import Logging
import Synchronization
import WatchLink
import Wormhole

/// The program of one end. It takes messages from its inbox, answers questions and receives files. It records what it
/// sees in `DeliveryFacts`.
final class EndProgram: ComputerProgram {
    /// The capacity of an inbox, in messages. Every plan has fewer messages.
    private static let inboxCapacity = 1_000
    /// The daily budget of complication messages. It is small, so that plans use it up.
    static let complicationsADay = 3

    enum Names {
        static let queue: MessageName = "queue"
        static let tick: MessageName = "tick"
        static let echo: MessageName = "echo"
        static let fails: MessageName = "fails"
        static let nobody: MessageName = "nobody"
    }

    /// The payload of a question. `answer` is the delay of the answer in milliseconds.
    struct Question: Codable, Sendable {
        let number: Int
        let answer: Int

        static func reply(to number: Int) -> Int { number * 3 + 1 }
    }

    /// A question that waits until the other end is reachable. At `deadline`, the program asks the question anyway.
    private struct WaitingQuestion {
        let deadline: Instant
        let number: Int
        let ask: (EndProgram) -> Void
    }

    let process: DiskProcess
    let endpoint: AirEndpoint
    private let facts: DeliveryFacts
    private let end: LinkEnd
    private let store: MessageStore
    private let clock: SimulationClock
    private let executor: InlineExecutor
    private let receptions = FileReceptions()
    private let arriving = Newest()
    private var followed: [FileTransfer] = []
    private var answers: [(due: Instant, question: PeerQuestion, number: Int)] = []
    private var questions: [WaitingQuestion] = []

    private final class Newest: Sendable {
        private let newest = Mutex<ArrivingFile?>(nil)

        var file: ArrivingFile? {
            get { newest.withLock { $0 } }
            set { newest.withLock { $0 = newValue } }
        }
    }

    /// Opens the store and starts the endpoint. `connect` opens a channel to the other end, or returns nil if the other
    /// end is out of reach.
    init(
        of side: DeliveryScenario.Machine, _ process: DiskProcess, _ clock: SimulationClock, _ executor: InlineExecutor,
        seenBy facts: DeliveryFacts, store wrapping: (any MessageStorage) -> any MessageStorage,
        connect: @escaping () -> AirChannel?
    ) throws(WormholeError) {
        (self.process, self.clock, self.executor, self.facts, end) = (process, clock, executor, facts, side.end)
        let (log, logRun) = (side.log, side.log.begin())
        store = try MessageStore(inMemory: side.path, keeping: EndProgram.inboxCapacity)
        var logger = log.logger(of: logRun)
        logger.logLevel = .warning
        var configuration: WormholeConfiguration
        switch side.end {
        case .phone: configuration = WormholeConfiguration(role: .phone, name: "phone")
        case .watch: configuration = WormholeConfiguration(role: .watch, name: "watch")
        }
        configuration.complicationsADay = EndProgram.complicationsADay
        configuration.randomNumber = { [wallClock = side.wallClock] in wallClock.next() }
        configuration.localDay = { [wallClock = side.wallClock] in wallClock.day }
        // The default of `unwantedPause` is a minute, which is longer than a plan.
        configuration.longestPause = .seconds(4)
        configuration.unwantedPause = .seconds(8)
        let machine = EndpointMachine(
            connects: side.end == .watch, store: wrapping(store), configuration: configuration, logger: logger,
            fileSystem: process.fileSystem, receptions: receptions)
        endpoint = AirEndpoint(machine, of: process, clock)
        endpoint.connect = connect
        process.killed = { [endpoint] in
            log.end(logRun)
            // Nothing that the killed program still sends may arrive.
            endpoint.abandon()
        }
        endpoint.perform = { [unowned self] action in perform(action) }
        let reception = try receptions.begin(
            in: try FileDirectory(path: side.folder.incoming, system: process.fileSystem), atMost: nil)
        executor.begin { [arriving] in for await file in reception.arriving { arriving.file = file } }
        _ = try endpoint.call { machine throws(WormholeError) in try machine.start() }.get()
        followed = (try? endpoint.call { machine throws(WormholeError) in try machine.filesUnderWay() }.get()) ?? []
        takeInbox()
    }

    private func sees(_ fact: DeliveryFacts.Fact) {
        guard process.isRunning else { return }
        facts.entries.append(DeliveryFacts.Entry(end: end, time: clock.now, fact: fact))
    }

    // MARK: What it does

    /// The identity of the other end. Before the first connection, a phone uses an identity that no watch has.
    var peer: PeerIdentity {
        guard case .phone = end else { return .phone }
        return (try? store.peers().first) ?? PeerIdentity(rawValue: 1)
    }

    func follow(_ transfer: FileTransfer) { followed.append(transfer) }

    static func label(ofFile number: Int) -> String { "f\(number).bin" }
    static func number(ofFile name: String) -> Int {
        Int(name.dropFirst().prefix { $0.isASCII && $0.isNumber }) ?? 0
    }

    /// Asks the other end a question. If the other end is out of reach, waits up to `reach` for it before asking.
    func ask(_ question: Question, under name: MessageName, within limit: Microseconds, reaching reach: Microseconds) {
        let ask: (EndProgram) -> Void = { program in program.ask(question, under: name, within: limit) }
        let isReachable = endpoint.machine.reachability(of: peer).isReachable
        guard !isReachable, reach > .zero else { return ask(self) }
        questions.append(WaitingQuestion(deadline: clock.now + reach, number: question.number, ask: ask))
    }

    private func ask(_ question: Question, under name: MessageName, within limit: Microseconds) {
        let (peer, number) = (peer, question.number)
        let asked = endpoint.call { machine throws(WormholeError) in
            try machine.ask(try MessageEncoder().encode(question), under: name, of: peer, within: limit) {
                [weak self] result in
                do throws(WormholeError) {
                    self?.sees(.replied(number, with: try MessageDecoder().decode(Int.self, from: result.get())))
                } catch {
                    self?.sees(.unanswered(number, error))
                }
            }
        }
        if case .failure(let error) = asked { sees(.unanswered(number, error)) }
    }

    var newestFile: ArrivingFile? { arriving.file }

    func refuse(_ file: ArrivingFile) { executor.begin { await file.cancel() } }

    /// Takes all messages from the inbox. If the store fails, the remaining messages stay until the next message or the
    /// next start.
    func takeInbox() {
        guard let inbox = try? store.kept() else { return }
        for entry in inbox {
            let number = (try? MessageDecoder().decode(Int.self, from: entry.message.payload)) ?? 0
            sees(.received(inbox: entry.number, number: number, delivery: entry.message.delivery))
            guard (try? store.drop(entry.number)) != nil else { return }
        }
    }

    var values: [String: Int] {
        var values: [String: Int] = [:]
        for name in (try? store.namesWithValue()) ?? [] {
            // No program passes -1, so the oracle reports a value that is no number.
            let payload = (try? store.currentValue(under: name)) ?? nil
            values[name.text] = payload.flatMap { try? MessageDecoder().decode(Int.self, from: $0) } ?? -1
        }
        return values
    }

    // MARK: What happens to it

    private func perform(_ action: EndpointAction) {
        switch action {
        case .heard(let message): hear(message)
        case .answer(let question): answer(question)
        case .dropAnswer(let question):
            answers.removeAll { $0.question.id == question }
            endpoint.add(.always { $0.answered(question, .failure(.failed)) })
        case .connect, .send, .sendAtOnce, .close, .file: break
        }
    }

    private func hear(_ message: HeardMessage) {
        guard case .peer = message.origin else { return }
        if message.isNotification { return sees(.notified) }
        switch message.delivery {
        case .queued, .complication: takeInbox()
        case .latest:
            guard let number = try? message.decoded(as: Int.self) else { return }
            sees(.heard(name: message.name.text, number: number))
        case .interactive, .file: break
        }
    }

    private func answer(_ asked: PeerQuestion) {
        guard asked.name == Names.echo || asked.name == Names.fails else {
            return endpoint.add(.always { $0.answered(asked.id, .failure(.noListener)) })
        }
        guard let question = try? MessageDecoder().decode(Question.self, from: asked.payload) else {
            return endpoint.add(.always { $0.answered(asked.id, .failure(.malformed)) })
        }
        sees(.questioned(question.number))
        answers.append((clock.now + Microseconds(milliseconds: question.answer), asked, question.number))
    }

    var due: Instant? {
        guard process.isRunning else { return nil }
        var due = endpoint.due
        for answer in answers { due = earlier(due, answer.due) }
        for question in questions { due = earlier(due, question.deadline) }
        return due
    }

    func step() -> Bool {
        var isNews = endpoint.step()
        guard process.isRunning else { return isNews }
        for (due, question, number) in answers where due <= clock.now {
            answers.removeAll { $0.question.id == question.id }
            let value = (try? MessageEncoder().encode(Question.reply(to: number))) ?? []
            endpoint.add(
                .always { $0.answered(question.id, question.name == Names.echo ? .value(value) : .failure(.failed)) })
            isNews = true
        }
        let isReachable = !questions.isEmpty && endpoint.machine.reachability(of: peer).isReachable
        for waiting in questions where isReachable || waiting.deadline <= clock.now {
            questions.removeAll { $0.number == waiting.number }
            waiting.ask(self)
            isNews = true
        }
        for transfer in followed where transfer.fate.isFinal {
            followed.removeAll { $0 === transfer }
            sees(.ended(EndProgram.number(ofFile: transfer.label.text), transfer.fate))
            isNews = true
        }
        return isNews
    }

    func stop() {
        _ = endpoint.close()
        _ = step()
        store.close()
        process.kill()
        discard()
    }

    func discard() {
        endpoint.abandon()
        receptions.end()
        executor.run()
        store.close()
    }
}
