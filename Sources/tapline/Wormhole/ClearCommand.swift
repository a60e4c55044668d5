import ArgumentParser
import Wormhole

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
        try await JoinedSide.with(side, .store) { try await $0.perform(.clear(name)) }
    }
}
