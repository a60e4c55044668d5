import ArgumentParser
import Wormhole

/// `tapline wormhole cancel`: takes a message back.
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Take a queued message back before it is sent, or end the way of a file.",
        discussion: """
            A number of sixteen digits is that of a file, of which the other end then keeps nothing where it is in reach; \
            where it is away, what has arrived stays there, hidden, until it has 32 newer ones. \
            A message that was sent and not acknowledged before its link broke can be taken back too; the other end may have \
            it already.

            EXAMPLES
              tapline wormhole cancel 12
              tapline wormhole cancel 5240037cc2ffdb67 --as watch
            """)

    @Argument(help: ArgumentHelp("Its number, as `tapline wormhole outstanding` prints it.", valueName: "number"))
    var number: String

    @OptionGroup var side: SideOptions

    func validate() throws { _ = try request }

    private var request: SharedRequest {
        get throws {
            switch try NumberChoice(number) {
            case .file(let file): .cancelFile(file)
            case .message(let message): .cancel(message)
            }
        }
    }

    func run() async throws {
        try await JoinedSide.with(side, .store) { try await $0.perform(request) }
    }
}
