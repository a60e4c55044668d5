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

struct PassCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pass",
        abstract: "Pass a message.",
        discussion: """
            Without a value it is a notification: it wakes the listeners of the name, and is not stored. With - each line of the \
            standard input is a message.

            latest        the newest value of a name; a peer that is away gets it later
            queued        each message once, in order, stored until it has arrived
            interactive   now, to a program that answers the name (`tapline wormhole answer`), or an error; it is not stored
            complication  like queued, and one of a watch's 50 pushes a day

            Prints how far the message has got, and ends once that is final, or after --within. A stored message then continues \
            with the next command of this end. The exit status is 75 if a queued message is still on its way, and 0 if a value \
            waits for a peer that is away. A queued message needs a known peer: if none has ever connected, it is not stored, \
            and the status is 69. Whether a listener got a notification is not reported. A value has at most 4,096 bytes, unless \
            the other end is a program that takes more.

            EXAMPLES
              tapline wormhole pass score '{"home": 2, "away": 1}'
              tapline wormhole pass note '"Milk is out"' --delivery queued --to wrist
              tapline wormhole pass tick --every 1s
              ticker | tapline wormhole pass price -
            """)

    @Argument(help: ArgumentHelp("The name: 1 to 32 bytes.", valueName: "name"))
    var name: MessageName

    @Argument(help: ArgumentHelp("The value; - for one value per line of the standard input.", valueName: "json"))
    var json: String?

    @Option(
        help: ArgumentHelp("How it is delivered: latest, queued, interactive or complication.", valueName: "delivery"))
    var delivery: DeliveryChoice = .latest

    @Option(
        help: ArgumentHelp(
            "One peer: its identity, the beginning of that, or its name while it is in reach.", valueName: "peer"))
    var to: String?

    @Option(help: ArgumentHelp("Pass it repeatedly at this interval, until interrupted.", valueName: "2s|500ms"))
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
        var time = CommandTime(limit)
        if json == "-" {
            var lines = MessageLines()
            return try await EndpointClient.again(side, .link) { try await passLines(&lines, &time, over: $0) }
        }
        let payload = try json.map { try JSONText(text: $0).payload }
        try await EndpointClient.again(side, .link) { try await pass(payload, &time, over: $0) }
    }

    /// Passes each line as a message. If the messages are queued, then waits until the last message has its final fate. Queued
    /// messages arrive in order, so this wait covers all of them.
    private func passLines(
        _ lines: inout MessageLines, _ time: inout CommandTime, over side: EndpointClient
    ) async throws {
        while let line = lines.current() {
            do {
                lines.passed(try await store(try JSONText(text: line).payload, over: side))
            } catch  where !EndpointClient.hasLeft(error) {
                throw CommandFailure("line \(lines.number), those before it are passed: \(error)")
            }
        }
        let numbers = lines.lastCopies.compactMap { $0.number.map(MessageNumber.init(rawValue:)) }
        for number in numbers {
            let isFinal = try await limited(to: time.rest()) {
                var last: MessageFate?
                try await side.perform(.fate(.message(number), isFollowed: true)) { reply in
                    if case .fate(_, let present) = reply { last = present }
                }
                return last?.isFinal == true
            }
            guard isFinal == true else {
                throw CommandFailure(
                    "\(SanitizedLine(name.text)): not all applied after \(limit); tapline wormhole outstanding\(self.side.pasted)",
                    status: .late)
            }
        }
    }

    /// Passes a message, and returns once the endpoint has accepted it. An error for which `EndpointClient.hasLeft` is true
    /// means that the message has certainly not been passed.
    private func store(_ payload: [UInt8]?, over side: EndpointClient) async throws -> [ControlReply.Copy] {
        let channel = try await side.begin(request(payload, within: limit))
        defer { channel.close() }
        return try await copies(channel)
    }

    /// Waits until the endpoint has accepted the message. Returns the copies for the recipients; see `ControlReply.passed`.
    /// Throws `CommandFailure` if the program that has the endpoint open has ended without a reply. The message may have
    /// been passed.
    private func copies(_ channel: ControlChannel) async throws -> [ControlReply.Copy] {
        do {
            guard case .passed(let copies)? = try await channel.next() else { return [] }
            return copies
        } catch WormholeError.closed {
            throw CommandFailure(
                "\(SanitizedLine(name.text)): the program that had this end has left, and it is not known whether it has passed "
                    + "this: look with tapline wormhole outstanding\(side.pasted)", status: .late)
        }
    }

    private var limit: DurationChoice {
        within ?? DurationChoice(milliseconds: delivery == .latest ? 1_000 : 5_000)
    }

    private func request(_ payload: [UInt8]?, within timeout: DurationChoice) -> ControlCommand {
        .pass(name, payload: payload, delivery: delivery.delivery, recipient: to, timeout: timeout.milliseconds)
    }

    private func passRepeatedly(_ every: DurationChoice) async throws {
        let payload = try json.map { try JSONText(text: $0).payload }
        let clock = SystemClock()
        try await runUntilInterrupted(side) { side in
            var next = clock.now
            while !Task.isCancelled {
                // No peer is known yet, but one may connect later.
                do { _ = try await store(payload, over: side) } catch let failure as EndpointFailure
                    where failure.isUnreachable
                {}
                // Skips the times that have already passed.
                next = max(next + every.microseconds, clock.now)
                guard (try? await clock.sleep(until: next)) != nil else { return }
            }
        }
    }

    /// How long this command still waits, after its time limit, for the endpoint to report whether it has accepted the
    /// message.
    private static let graceMilliseconds: UInt32 = 5_000

    /// Passes a message, and follows its copies up to their final fates or the time limit.
    ///
    /// An error for which `EndpointClient.hasLeft` is true means that the message must be passed again.
    private func pass(_ payload: [UInt8]?, _ time: inout CommandTime, over side: EndpointClient) async throws {
        let rest = time.rest()
        let channel = try await side.begin(request(payload, within: rest))
        defer { channel.close() }
        // The endpoint waits up to `rest` for a peer, and then reports. This command waits longer, so that it gets that
        // report even if its clock is a little faster.
        let timeout = DurationChoice(milliseconds: rest.milliseconds + PassCommand.graceMilliseconds)
        guard let copies = try await limited(to: timeout, { try await copies(channel) }) else {
            throw CommandFailure(
                "\(SanitizedLine(name.text)): the program that has this end does not say whether it has passed this: look with "
                    + "tapline wormhole outstanding\(self.side.pasted)", status: .late)
        }
        let (output, name) = (output, name.text)
        let fates = Mutex<[ControlReply.Copy: MessageFate]>([:])
        let note: @Sendable (ControlReply.Copy, MessageFate) throws -> Void = { copy, fate in
            let isNew = fates.withLock { fates in
                guard fate.isLater(than: fates[copy]) else { return false }
                fates[copy] = fate
                return true
            }
            guard isNew else { return }
            if output.json || fate.isFinal { try WormholeReport.write(copy, fate, of: name, output) }
        }
        do {
            try await limited(to: time.rest()) {
                while let reply = try await channel.next() {
                    if case .fate(let copy, let fate) = reply { try note(copy, fate) }
                }
            }
        } catch  where EndpointClient.hasLeft(error) {
            let open = copies.filter { copy in fates.withLock { $0[copy]?.isFinal != true } }
            if delivery == .interactive, !open.isEmpty { throw error }
            // The next program that opens the endpoint finds a stored message by its number. A value has no number, but the
            // next program also sends it.
            guard open.allSatisfy({ $0.number != nil }) else {
                return try conclude(copies, fates.withLock { $0 }, "when the program that had this end left")
            }
            try await limited(to: time.rest()) {
                for copy in open {
                    let number = MessageNumber(rawValue: copy.number ?? 0)
                    try await side.perform(.fate(.message(number), isFollowed: true)) { reply in
                        if case .fate(_, let fate) = reply { try note(copy, fate) }
                    }
                }
            }
        }
        try conclude(copies, fates.withLock { $0 })
    }

    /// Reports the result when the command stops waiting. Throws if a copy is not applied. If `moment` is nil, a latest value
    /// (`Delivery.latest`) may still wait for an absent peer: this prints a line, and does not throw.
    ///
    /// A notification has no copies. A latest value has no copies if no peer has ever connected. The error says when the
    /// command stopped waiting: in the words of `moment`, or at the time limit if `moment` is nil.
    private func conclude(
        _ copies: [ControlReply.Copy], _ fates: [ControlReply.Copy: MessageFate], _ moment: String? = nil
    ) throws {
        // A message that was cancelled has not arrived either.
        if fates.values.contains(where: { $0.isFinal && $0 != .applied }) { throw ExitCode.failure }
        let name = SanitizedLine(name.text)
        if copies.isEmpty, json != nil, !output.json {
            try StandardOutput.print("\(name): kept for peers that connect later\n")
        }
        guard let open = copies.first(where: { fates[$0]?.isFinal != true }) else { return }
        let fate = fates[open] ?? .queued
        if delivery == .latest, fate == .queued, moment == nil {
            let peer = open.peer.map { "\($0)" } ?? ""
            if !output.json { try StandardOutput.print("\(name): kept for \(peer), which is away\n") }
            return
        }
        let more = open.number.map { "; tapline wormhole fate \($0)\(side.pasted)" } ?? ""
        throw CommandFailure("\(name): \(fate) \(moment ?? "after \(limit)"), not yet applied\(more)", status: .late)
    }
}

/// Lines of the standard input. Until `passed(_:)` is called, `current()` returns the same line.
private struct MessageLines {
    private(set) var number = 0
    private var text: String?
    private(set) var lastCopies: [ControlReply.Copy] = []

    /// Returns the current line. If there is no current line, reads the next line that is not empty; nil at the end of the
    /// input.
    mutating func current() -> String? {
        while text == nil, let line = readLine() {
            number += 1
            if !line.isEmpty { text = line }
        }
        return text
    }

    mutating func passed(_ copies: [ControlReply.Copy]) { (text, lastCopies) = (nil, copies) }
}

struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Print the newest value under a name, or all names with their values.",
        discussion: """
            This is the value that was passed last with latest, by this end or any peer. A value that a restarted peer sends \
            again unchanged counts as passed before. If there is none, the exit status is 1.

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
        try await EndpointClient.perform(.read(name), at: side) { reply in
            guard case .value(let name, let value) = reply else { return }
            count += 1
            let json = try JSONText(payload: value)
            let prefix = self.name == nil ? "\(SanitizedLine(name.text)) " : ""
            try output.printLine(prefix + json.text, json: ["name": name.text, "value": json])
        }
        if let name, count == 0 { throw CommandFailure("there is no value under '\(SanitizedLine(name.text))'") }
    }
}

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
        try await EndpointClient.perform(.clear(name), at: side)
    }
}

enum ValueNames {
    /// Returns the names that have a value, for the shell to complete. `words` is the command line; its options choose the
    /// endpoint.
    @Sendable
    static func complete(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        var arguments: [String] = []
        for (option, value) in zip(words, words.dropFirst()) where ["--as", "--sockets", "--database"].contains(option)
        {
            arguments += [option, value]
        }
        guard let options = try? SideOptions.parse(arguments) else { return [] }
        var names: [String] = []
        try? await EndpointClient.perform(.read(nil), at: options) { reply in
            if case .value(let name, _) = reply { names.append(name.text) }
        }
        return Completions.inert(names)
    }
}
