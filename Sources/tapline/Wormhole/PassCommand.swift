import ArgumentParser
import Foundation
import HostSystem
import Synchronization
import WatchLink
import Wormhole

/// How `tapline wormhole pass` delivers.
enum DeliveryChoice: String, ExpressibleByArgument, CaseIterable {
    case latest
    case queued
    case interactive
    case complication

    var delivery: Delivery {
        switch self {
        case .latest: .latest
        case .queued: .queued
        case .interactive: .interactive
        case .complication: .complication
        }
    }
}

/// `tapline wormhole pass`: passes a message, and says what became of it.
struct PassCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pass",
        abstract: "Pass a message.",
        discussion: """
            Without a value it is a notification: it wakes those who listen to the name, and nothing is kept. With - each \
            line of the standard input is a message.

            latest        the newest value of a name; who is away gets it later
            queued        each message once, in order, stored until it has arrived
            interactive   now, or an error
            complication  queued, and one of a watch's 50 of the day

            Prints how far the message has got, and ends once that is final, or after --within: what is stored then goes on \
            with the next command of this end, and the status is 75.

            EXAMPLES
              tapline wormhole pass score '{"home": 2, "away": 1}'
              tapline wormhole pass note '"Milk is out"' --delivery queued --to wrist
              tapline wormhole pass tick --every 1s
              ticker | tapline wormhole pass price -
            """)

    @Argument(help: ArgumentHelp("The name: 1 to 32 bytes.", valueName: "name"))
    var name: MessageName

    @Argument(help: ArgumentHelp("The value; - for a value a line of the standard input.", valueName: "json"))
    var json: String?

    @Option(
        help: ArgumentHelp("How it is delivered: latest, queued, interactive or complication.", valueName: "delivery"))
    var delivery: DeliveryChoice = .latest

    @Option(help: ArgumentHelp("One peer: its name, or its identity or the beginning of it.", valueName: "peer"))
    var to: String?

    @Option(help: ArgumentHelp("Pass it again and again, this far apart, until interrupted.", valueName: "time"))
    var every: DurationChoice?

    @Option(help: ArgumentHelp("How long to wait for its fate; 1s for latest, else 5s.", valueName: "time"))
    var within: DurationChoice?

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func validate() throws {
        if json == "-" {
            if every != nil { throw ValidationError("--every passes one value: leave out -.") }
        } else if let json {
            do { _ = try JSONText(text: json) } catch { throw ValidationError(error.description) }
        }
        if let every, every.milliseconds < 10 { throw ValidationError("--every is 10ms or more.") }
    }

    func run() async throws {
        if let every { return try await passRepeatedly(every) }
        try await JoinedSide.with(side, .link) { side in
            if json == "-" { return try await passLines(over: side) }
            try await pass(json.map { try JSONText(text: $0).payload }, over: side)
        }
    }

    /// Passes each line of the standard input, and then waits for the last one: those before it have arrived by then.
    private func passLines(over side: JoinedSide) async throws {
        var (line, last): (Int, [SharedReply.Copy]) = (0, [])
        while let text = readLine() {
            line += 1
            guard !text.isEmpty else { continue }
            do {
                last = try await store(try JSONText(text: text).payload, over: side)
            } catch {
                throw WormholeFailure.text("line \(line), those before it are passed: \(error)")
            }
        }
        let numbers = last.compactMap { $0.number.map(MessageNumber.init(rawValue:)) }
        for number in numbers {
            let fate = Mutex(FateReport?.none)
            try await Limited.run(limit) {
                try await side.perform(.fate(number, following: .toTheEnd)) { reply in
                    if case .fate(_, let present) = reply { fate.withLock { $0 = present } }
                }
            }
            guard fate.withLock({ $0?.isFinal == true }) else {
                throw WormholeFailure.late(
                    "\(PlainLine(name.text)): not all applied after \(limit); tapline wormhole outstanding")
            }
        }
    }

    /// Passes a message, and returns once it is stored.
    private func store(_ payload: [UInt8]?, over side: JoinedSide) async throws -> [SharedReply.Copy] {
        let channel = try await side.begin(request(payload))
        defer { channel.close() }
        guard case .passed(let copies)? = try await CommandReplies(channel).next() else { return [] }
        return copies
    }

    private var limit: DurationChoice {
        within ?? DurationChoice(milliseconds: delivery == .latest ? 1_000 : 5_000)
    }

    private func request(_ payload: [UInt8]?) -> SharedRequest {
        .pass(
            SharedRequest.Passing(
                name: name, payload: payload, delivery: delivery.delivery, recipient: to,
                patience: limit.milliseconds))
    }

    private func passRepeatedly(_ every: DurationChoice) async throws {
        let payload = try json.map { try JSONText(text: $0).payload }
        let clock = SystemClock()
        try await LongCommand.run(side) { side in
            var next = clock.now
            while !Task.isCancelled {
                do { _ = try await store(payload, over: side) } catch WormholeFailure.reply(let failure) {
                    // Somebody may come.
                    guard failure.kind == .unreachable else { throw WormholeFailure.reply(failure) }
                }
                // Of times that have gone by while nobody could pass, none is made up for.
                next = max(next + every.microseconds, clock.now)
                guard (try? await clock.sleep(until: next)) != nil else { return }
            }
        }
    }

    /// Passes one message, and reports what becomes of it.
    private func pass(_ payload: [UInt8]?, over side: JoinedSide) async throws {
        let progress = PassProgress()
        let request = request(payload)
        let (json, name) = (output.json, name.text)
        try await Limited.run(limit) {
            try await side.perform(request) { reply in
                guard let (copy, fate) = progress.take(reply) else { return }
                if json || fate.isFinal { try WormholeReport.write(copy, fate, of: name, json: json) }
            }
        }
        try conclude(progress)
    }

    private func conclude(_ progress: PassProgress) throws {
        switch progress.state {
        case .nothing: throw WormholeFailure.late("\(PlainLine(name.text)): not passed within \(limit)")
        case .forNobodyYet where json != nil:
            if !output.json { try PhoneReport.write("\(PlainLine(name.text)): kept for those who connect later\n") }
        case .forNobodyYet: break
        case .copies(let copies):
            let failed = copies.filter { $0.fate?.stage == .failed }
            if !failed.isEmpty { throw ExitCode.failure }
            guard let open = copies.first(where: { $0.fate?.isFinal != true }) else { return }
            let stage = open.fate?.stage.rawValue ?? "queued"
            if delivery == .latest, stage == "queued" {
                if !output.json {
                    try PhoneReport.write("\(PlainLine(name.text)): kept for \(open.copy.peer), which is away\n")
                }
                return
            }
            let more = open.copy.number.map { "; tapline wormhole fate \($0)" } ?? ""
            throw WormholeFailure.late("\(PlainLine(name.text)): \(stage) after \(limit), not yet applied\(more)")
        }
    }
}

/// How far the copies of a message have got.
private final class PassProgress: Sendable {
    struct CopyState {
        let copy: SharedReply.Copy
        var fate: FateReport?
    }

    enum State {
        case nothing
        /// A value that waits for its first peer, or a notification.
        case forNobodyYet
        case copies([CopyState])
    }

    private let known = Mutex(State.nothing)

    var state: State { known.withLock { $0 } }

    /// Notes a reply. Returns the step of a copy that it tells.
    func take(_ reply: SharedReply) -> (SharedReply.Copy, FateReport)? {
        known.withLock { state in
            if case .passed(let copies) = reply {
                state = copies.isEmpty ? .forNobodyYet : .copies(copies.map { CopyState(copy: $0) })
            }
            guard case .fate(let copy, let fate) = reply else { return nil }
            if case .copies(var copies) = state {
                for index in copies.indices where copies[index].copy == copy { copies[index].fate = fate }
                state = .copies(copies)
            }
            return (copy, fate)
        }
    }
}
