import ArgumentParser
import Foundation
import HostSystem
import Wormhole

/// `tapline wormhole answer`: answers what the other end asks, by a program.
struct AnswerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer",
        abstract: "Answer a name by a program.",
        usage: "tapline wormhole answer NAME [OPTION ...] -- COMMAND [ARGUMENT ...]",
        discussion: """
            The program runs once for each question: it gets the question as JSON on its standard input, and the answer is \
            the JSON value that it prints, null for nothing. Where it fails, prints something else or more than 64 KB, or \
            takes longer than --within, it is ended, the asker is told that whoever answers has failed, and a line on the \
            standard error says why. One program at a time answers a name. A program that is not there is refused at once. \
            An answer of more than 4,096 bytes is too long for an asker, unless that is a program that takes more.

            EXAMPLES
              tapline wormhole answer time -- date +'"%H:%M"'
              tapline wormhole answer echo -- cat
            """)

    @Argument(help: ArgumentHelp("The name.", valueName: "name"))
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
        let name = name
        let program = AnswerProgram(words: command, limit: within)
        try program.check()
        try await LongCommand.run(side) { side in
            let channel = try await side.begin(.answer(name))
            defer { channel.close() }
            let replies = CommandReplies(channel)
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                while true {
                    guard case .asked(let number, let question) = try await replies.nextOfMany() else { continue }
                    group.addTask { try await AnswerCommand.answer(number, question, program, channel) }
                }
            }
        }
    }

    private static func answer(
        _ number: UInt64, _ question: SharedReply.Heard, _ program: AnswerProgram, _ channel: SharedChannel
    ) async throws {
        let outcome = await program.answer(try JSONText(payload: question.payload))
        switch outcome {
        case .success(let answer): try await channel.send(SharedRequest.answered(number, answer.payload))
        case .failure(.program(.cancelled)): return
        case .failure(let fault):
            let line = PlainLine.lines("tapline: \(program.words[0]) \(fault)\n")
            try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
            try await channel.send(SharedRequest.answered(number, nil))
        }
    }
}
