import ArgumentParser
import CommandSupport
import Wormhole

/// `tapline wormhole ask`: asks the other end, and prints the answer.
struct AskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Ask the other end, and print its answer.",
        discussion: """
            Nothing is stored: where the other end does not come within --within, the status is 69; where it does not answer \
            within that time, 75.

            EXAMPLES
              tapline wormhole ask lap '{"lap": 3}' --as watch
              tapline wormhole ask battery null --to wrist --within 500ms
            """)

    @Argument(help: ArgumentHelp("What the other end answers by.", valueName: "name"))
    var name: MessageName

    @Argument(help: ArgumentHelp("The question.", valueName: "json"))
    var json: String

    @Option(help: ArgumentHelp("The peer, where there are several: its name or identity.", valueName: "peer"))
    var to: String?

    @Option(help: ArgumentHelp("How long to wait for the peer, and then for its answer.", valueName: "2s|500ms"))
    var within = DurationChoice(milliseconds: 2_000)

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func validate() throws {
        do { _ = try JSONText(text: json) } catch { throw ValidationError(error.description) }
    }

    func run() async throws {
        let question = SharedRequest.Question(
            name: name, payload: try JSONText(text: json).payload, recipient: to, reach: within.milliseconds,
            patience: within.milliseconds)
        do {
            try await JoinedSide.with(side, .link) { side in
                try await side.perform(.ask(question)) { try show($0) }
            }
        } catch  where JoinedSide.hasLeft(error) {
            // Whoever answers may have done so already: it is not asked twice.
            throw WormholeFailure.late("the program that had this end has left before there was an answer: ask again")
        }
    }

    private func show(_ reply: SharedReply) throws {
        guard case .value(let payload?) = reply else { return }
        let answer = try JSONText(payload: payload).text
        guard output.json else { return try StandardOutput.print("\(answer)\n") }
        try WormholeReport.write(["name": WormholeReport.quoted(name.text), "value": answer])
    }
}
