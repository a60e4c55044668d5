import ArgumentParser
import CommandSupport
import Foundation
import HostSystem
import Synchronization
import WatchLink
import Wormhole

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
            interactive   now, to a program that answers the name (`tapline wormhole answer`), or an error; it is not stored
            complication  queued, and one of a watch's 50 of the day

            Prints how far the message has got, and ends once that is final, or after --within: what is stored then goes on \
            with the next command of this end. The status is 75 where a queued message is on its way then, and 0 where a \
            value waits for a peer that is away, which needs the newest alone. A queued message has to know its peer: where \
            none has ever connected, nothing is stored, and the status is 69. Nobody says whether a notification was heard. \
            A value is 4,096 bytes at most, unless the other end is a program that takes more. Before one that begins with a \
            minus sign, and at the end of the line, write --.

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

    @Option(
        help: ArgumentHelp(
            "One peer: its identity or the beginning of it, or while it is in reach its name.", valueName: "peer"))
    var to: String?

    @Option(help: ArgumentHelp("Pass it again and again, this far apart, until interrupted.", valueName: "2s|500ms"))
    var every: DurationChoice?

    @Option(help: ArgumentHelp("How long to wait for its fate; 1s for latest, else 5s.", valueName: "2s|500ms"))
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
        if json == "-" {
            let lines = MessageLines()
            return try await EndpointClient.again(side, .link) { try await passLines(lines, over: $0) }
        }
        try await EndpointClient.again(side, .link) { side in
            try await pass(json.map { try JSONText(text: $0).payload }, over: side)
        }
    }

    /// Passes each line of the standard input, and then waits for the last one: those before it have arrived by then.
    private func passLines(_ lines: MessageLines, over side: EndpointClient) async throws {
        while let line = lines.current {
            do {
                lines.passed(try await store(try JSONText(text: line.text).payload, over: side))
            } catch  where !EndpointClient.hasLeft(error) {
                throw WormholeFailure.text("line \(line.number), those before it are passed: \(error)")
            }
        }
        let numbers = lines.lastCopies.compactMap { $0.number.map(MessageNumber.init(rawValue:)) }
        for number in numbers {
            let fate = Mutex(MessageFate?.none)
            try await Limited.run(limit) {
                try await side.perform(.fate(.message(number), isFollowed: true)) { reply in
                    if case .fate(_, let present) = reply { fate.withLock { $0 = present } }
                }
            }
            guard fate.withLock({ $0?.isFinal == true }) else {
                throw WormholeFailure.late(
                    "\(SanitizedLine(name.text)): not all applied after \(limit); tapline wormhole outstanding\(self.side.pasted)"
                )
            }
        }
    }

    /// Passes a message, and returns once it is stored.
    ///
    /// - Throws: `.closed` if the program that has the end left before it was asked, and so has not stored it.
    private func store(_ payload: [UInt8]?, over side: EndpointClient) async throws -> [ControlReply.Copy] {
        let channel = try await side.begin(request(payload))
        defer { channel.close() }
        return try await copies(channel)
    }

    /// The copies of a message that the endpoint was asked to pass.
    private func copies(_ channel: ControlChannel) async throws -> [ControlReply.Copy] {
        do {
            guard case .passed(let copies)? = try await channel.next() else { return [] }
            return copies
        } catch WormholeError.closed {
            throw WormholeFailure.late(
                "\(SanitizedLine(name.text)): the program that had this end has left, and it is not known whether it has passed "
                    + "this: look with tapline wormhole outstanding\(side.pasted)")
        }
    }

    private var limit: DurationChoice {
        within ?? DurationChoice(milliseconds: delivery == .latest ? 1_000 : 5_000)
    }

    private func request(_ payload: [UInt8]?) -> ControlCommand {
        .pass(name, payload: payload, delivery: delivery.delivery, recipient: to, patience: limit.milliseconds)
    }

    private func passRepeatedly(_ every: DurationChoice) async throws {
        let payload = try json.map { try JSONText(text: $0).payload }
        let clock = SystemClock()
        try await LongCommand.run(side) { side in
            var next = clock.now
            while !Task.isCancelled {
                do {
                    _ = try await store(payload, over: side)
                } catch WormholeFailure.reply(.unreachable), WormholeFailure.reply(.unknownPeer) {
                    // A peer may come.
                }
                // A time that has gone by meanwhile is not made up for.
                next = max(next + every.microseconds, clock.now)
                guard (try? await clock.sleep(until: next)) != nil else { return }
            }
        }
    }

    /// How much longer than it was asked to wait for a peer the endpoint may take to say what came of it.
    private static let grace: UInt32 = 5_000

    /// Passes one message, and reports what becomes of it.
    private func pass(_ payload: [UInt8]?, over side: EndpointClient) async throws {
        let progress = PassProgress()
        let clock = SystemClock()
        let end = clock.now + limit.microseconds
        let channel = try await side.begin(request(payload))
        defer { channel.close() }
        // The endpoint waits for a peer, and then says what it has done: that counts, and not whose clock was faster.
        try await Limited.run(DurationChoice(milliseconds: limit.milliseconds + PassCommand.grace)) {
            progress.passed(try await copies(channel))
        }
        let (json, name) = (output.json, name.text)
        let rest = DurationChoice(milliseconds: UInt32(clamping: (max(end, clock.now) - clock.now).count / 1_000))
        do {
            try await Limited.run(rest) {
                while let reply = try await channel.next() {
                    guard let (copy, fate) = progress.take(reply) else { continue }
                    if json || fate.isFinal { try WormholeReport.write(copy, fate, of: name, json: json) }
                }
            }
        } catch  where EndpointClient.hasLeft(error) {
            return try conclude(progress, "when the program that had this end left")
        }
        try conclude(progress, "after \(limit)")
    }

    /// - Parameter moment: when the command has stopped looking.
    private func conclude(_ progress: PassProgress, _ moment: String) throws {
        switch progress.state {
        case .nothing:
            throw WormholeFailure.late(
                "\(SanitizedLine(name.text)): the program that has this end does not say whether it has passed this: look with "
                    + "tapline wormhole outstanding\(side.pasted)")
        case .forNobodyYet where json != nil:
            if !output.json {
                try StandardOutput.print("\(SanitizedLine(name.text)): kept for those who connect later\n")
            }
        case .forNobodyYet: break
        case .copies(let copies):
            // What was taken back has not arrived either.
            if copies.contains(where: { $0.fate.isFinal && $0.fate != .applied }) { throw ExitCode.failure }
            guard let open = copies.first(where: { !$0.fate.isFinal }) else { return }
            if delivery == .latest, open.fate == .queued {
                if !output.json {
                    let peer = open.copy.peer.map { "\($0)" } ?? ""
                    try StandardOutput.print("\(SanitizedLine(name.text)): kept for \(peer), which is away\n")
                }
                return
            }
            let more = open.copy.number.map { "; tapline wormhole fate \($0)\(side.pasted)" } ?? ""
            throw WormholeFailure.late("\(SanitizedLine(name.text)): \(open.fate) \(moment), not yet applied\(more)")
        }
    }
}

private final class PassProgress: Sendable {
    struct CopyState {
        let copy: ControlReply.Copy
        var fate = MessageFate.queued
    }

    enum State {
        case nothing
        /// A value that waits for its first peer, or a notification.
        case forNobodyYet
        case copies([CopyState])
    }

    private let known = Mutex(State.nothing)

    var state: State { known.withLock { $0 } }

    func passed(_ copies: [ControlReply.Copy]) {
        known.withLock { $0 = copies.isEmpty ? .forNobodyYet : .copies(copies.map { CopyState(copy: $0) }) }
    }

    /// Notes a reply. Returns the step of a copy that it tells.
    func take(_ reply: ControlReply) -> (ControlReply.Copy, MessageFate)? {
        known.withLock { state in
            guard case .fate(let copy, let fate) = reply else { return nil }
            if case .copies(var copies) = state {
                for index in copies.indices where copies[index].copy == copy { copies[index].fate = fate }
                state = .copies(copies)
            }
            return (copy, fate)
        }
    }
}

/// The lines of the standard input, each until it was passed.
private final class MessageLines: Sendable {
    struct Line: Sendable {
        let number: Int
        let text: String
    }

    private struct Progress {
        var number = 0
        var line: Line?
        var copies: [ControlReply.Copy] = []
    }

    private let progress = Mutex(Progress())

    /// The line that is to be passed; nil at the end.
    var current: Line? {
        progress.withLock { progress in
            while progress.line == nil, let text = readLine() {
                progress.number += 1
                if !text.isEmpty { progress.line = Line(number: progress.number, text: text) }
            }
            return progress.line
        }
    }

    /// The copies of the line that was passed last.
    var lastCopies: [ControlReply.Copy] { progress.withLock { $0.copies } }

    func passed(_ copies: [ControlReply.Copy]) {
        progress.withLock { progress in
            progress.line = nil
            progress.copies = copies
        }
    }
}

/// `tapline wormhole read`: prints the newest value of a name.
struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Print the newest value under a name, or the names that have one.",
        discussion: """
            It is the value that was passed last by latest, at this end or by any peer. What a restarted peer sends again \
            unchanged was passed before. Where there is none, the status is 1.

            EXAMPLES
              tapline wormhole read score
              tapline wormhole read
            """)

    @Argument(
        help: ArgumentHelp("The name; without one, all that have a value.", valueName: "name"),
        completion: .custom(ValueNames.complete))
    var name: MessageName?

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func run() async throws {
        var count = 0
        try await EndpointClient.with(side, .store) { side in
            try await side.perform(.read(name)) { reply in
                guard case .value(let name, let value) = reply else { return }
                count += 1
                try show(name, try JSONText(payload: value))
            }
        }
        if let name, count == 0 { throw WormholeFailure.text("there is no value under '\(SanitizedLine(name.text))'") }
    }

    private func show(_ name: MessageName, _ value: JSONText) throws {
        if output.json {
            try WormholeReport.write(["name": name.text, "value": value])
        } else {
            try StandardOutput.print((self.name == nil ? "\(SanitizedLine(name.text)) " : "") + "\(value.text)\n")
        }
    }
}

/// `tapline wormhole clear`: clears the value of a name on both ends.
struct ClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Clear the value of a name, or of all, on both ends.",
        discussion: """
            Queued messages stay queued.

            EXAMPLES
              tapline wormhole clear score
              tapline wormhole clear
            """)

    @Argument(
        help: ArgumentHelp("The name; without one, all.", valueName: "name"),
        completion: .custom(ValueNames.complete))
    var name: MessageName?

    @OptionGroup var side: SideOptions

    func run() async throws {
        try await EndpointClient.with(side, .store) { try await $0.perform(.clear(name)) }
    }
}

/// Completes the names that have a value.
enum ValueNames {
    /// - Parameter words: the words of the command line, from which the side is read.
    @Sendable
    static func complete(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        var arguments: [String] = []
        for (option, value) in zip(words, words.dropFirst()) where ["--as", "--sockets", "--database"].contains(option)
        {
            arguments += [option, value]
        }
        guard let options = try? SideOptions.parse(arguments) else { return [] }
        return Completions.inert((try? await names(of: options)) ?? [])
    }

    private static func names(of options: SideOptions) async throws -> [String] {
        var names: [String] = []
        try await EndpointClient.with(options, .store) { side in
            try await side.perform(.read(nil)) { reply in
                if case .value(let name, _) = reply { names.append(name.text) }
            }
        }
        return names
    }
}
