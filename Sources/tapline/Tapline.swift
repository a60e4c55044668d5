import ArgumentParser
import CommandSupport

@main
struct Tapline: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tapline",
        abstract: "A watch, its phone and the link between them.",
        discussion: """
            The watch shows a list, the phone keeps it, and a Unix socket or Bluetooth connects them. A row that you \
            tap on the watch is checked off on the phone.

            EXAMPLES
              tapline phone add Milk "Rye bread" Eggs
              tapline phone serve &
              tapline watch
              tapline lab
            """,
        version: CommandProgram.version,
        subcommands: [
            WatchCommand.self, PhoneCommand.self, WormholeCommand.self, PairCommand.self, UnpairCommand.self,
            DoctorCommand.self, LabCommand.self, CountCommand.self, CyclesCommand.self,
        ])

    static func main() async {
        CommandProgram.begin(Tapline.self)
        await CommandProgram.run(Tapline.self, reading: WormholeCommand.wordsWithNegativeNumbers) { error, usual in
            (error as? CommandFailure)?.status ?? (error as? EndpointFailure)?.status ?? usual
        }
    }
}
