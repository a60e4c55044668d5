import ArgumentParser
import CommandSupport
import Foundation
import HostSystem
import Wormhole

struct AskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Ask the other end, and print its answer.",
        discussion: """
            The question is not stored. If the other end does not connect within --within, the exit status is 69; if it does not \
            answer within that time, 75. If the program that has this end leaves before the answer, the question is asked again \
            for the rest of the time, so the other end may get it twice.

            EXAMPLES
              tapline wormhole ask lap '{"lap": 3}' --as watch
              tapline wormhole ask battery null --to wrist --within 500ms
            """)

    @Argument(help: ArgumentHelp("The name that the other end answers.", valueName: "name"))
    var name: MessageName

    @Argument(help: ArgumentHelp("The question.", valueName: "json"))
    var json: String

    @Option(help: ArgumentHelp("The peer, if there are several: its name or identity.", valueName: "peer"))
    var to: String?

    @Option(help: ArgumentHelp("How long to wait for the peer, and then for its answer.", valueName: "2s|500ms"))
    var within = DurationChoice(milliseconds: 2_000)

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func validate() throws {
        do { _ = try JSONText(text: json) } catch { throw ValidationError(error.description) }
    }

    func run() async throws {
        let payload = try JSONText(text: json).payload
        // Half of the time limit is for the peer to connect, and half for its answer.
        var time = CommandTime(DurationChoice(milliseconds: 2 * within.milliseconds))
        try await EndpointClient.again(side, .link) { side in
            let timeout = time.rest().milliseconds / 2
            let channel = try await side.begin(.ask(name, payload: payload, recipient: to, timeout: timeout))
            defer { channel.close() }
            if let answer = try await channel.next() { try show(answer) }
        }
    }

    private func show(_ reply: ControlReply) throws {
        guard case .value(_, let payload) = reply else { return }
        let answer = try JSONText(payload: payload)
        try output.printLine(answer.text, json: ["name": name.text, "value": answer])
    }
}

struct AnswerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer",
        abstract: "Answer questions by running a program.",
        usage: "tapline wormhole answer NAME [OPTION ...] -- COMMAND [ARGUMENT ...]",
        discussion: """
            The program runs once for each question: it gets the question as JSON on its standard input, and the answer is the \
            JSON value that it prints, null for nothing. If it fails, prints something else or more than 64 KB, or takes longer \
            than --within, it is ended. The other end is then told that the program failed, and a line on the standard error \
            says why. Only one program at a time answers a name. A missing program is refused at once. An answer has at most \
            4,096 bytes, unless the other end is a program that takes more.

            EXAMPLES
              tapline wormhole answer time -- date +'"%H:%M"'
              tapline wormhole answer echo -- cat
            """)

    @Argument(help: ArgumentHelp("The name to answer.", valueName: "name"))
    var name: MessageName

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The program and its arguments.", valueName: "command"))
    var command: [String] = []

    @Option(help: ArgumentHelp("How long the program may take.", valueName: "2s|500ms"))
    var within = DurationChoice(milliseconds: 10_000)

    @OptionGroup var side: SideOptions

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("Which program answers? Write it after --.") }
    }

    func run() async throws {
        try AnswerCommand.check(command[0])
        let (name, program) = (
            name, FilterProgram(words: command, limit: within, mostBytes: AnswerCommand.longestAnswer)
        )
        try await runUntilInterrupted(side) { side in
            let channel = try await side.begin(.answer(name))
            defer { channel.close() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                while true {
                    guard case .asked(let number, let question) = try await channel.nextOfMany() else { continue }
                    group.addTask { try await AnswerCommand.answer(number, question, program, channel) }
                }
            }
        }
    }

    private static func answer(
        _ number: UInt64, _ question: [UInt8], _ program: FilterProgram, _ channel: ControlChannel
    ) async throws {
        let question = try JSONText(payload: question).text
        let answer: JSONText
        let fault: String
        switch await program.output(for: Array("\(question)\n".utf8)) {
        case .failure(.cancelled): return
        case .failure(let reason): fault = "\(reason)"
        case .success(let printed):
            let text = String(decoding: printed, as: UTF8.self)
            do throws(WormholeError) { answer = try JSONText(text: text.isEmpty ? "null" : text) } catch {
                fault = "printed no answer: \(error)"
                break
            }
            return try await channel.send(.answered(number, answer.payload))
        }
        let line = SanitizedLine.lines("tapline: \(program.words[0]) \(fault)\n")
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
        try await channel.send(.answered(number, nil))
    }

    private static let longestAnswer = 64 << 10

    /// Checks that the program exists, before any question arrives. Throws `CommandFailure` with the status of a usage error.
    private static func check(_ name: String) throws {
        do throws(ProgramSearch.Fault) {
            try ProgramSearch.check(name, in: ProcessInfo.processInfo.environment["PATH"])
        } catch {
            let advice =
                switch error {
                case .missing: "\(name): there is no such program: name another one, or put it there first"
                case .notExecutable: "\(name) is no program: make it executable (chmod +x), or name another one"
                case .notInPath: "no program '\(name)' is in PATH: install it, or name it by its path"
                }
            throw CommandFailure(advice, status: ExitCode(EX_USAGE))
        }
    }
}
