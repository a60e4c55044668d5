import ArgumentParser
import CalDAV
import CommandSupport
import PhoneHost

/// `tapline phone account publish`: puts a list of the phone on a server.
struct AccountPublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Put a list of the phone on a calendar server.",
        discussion: """
            The server gets a new collection with the name of the list, and all items, those that are checked off, too. From \
            then on both are kept in step, and other phones and programs of the account see it. Where the command was \
            interrupted, give it again: the list is never there twice.

            EXAMPLES
              tapline phone account publish Camping
              tapline phone account publish Camping --account 2
              tapline phone account publish Camping --account https://cloud.example.org --json
            """)

    @Argument(help: "The list.", completion: .custom(Completions.lists))
    var list: String

    @Option(
        help: ArgumentHelp(
            "The number or the address of the account; without it the only one that can have new lists.",
            valueName: "name"))
    var account: String?

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    private struct Published: Encodable {
        var list: String
        var account: Int64
        var address: String
        var sent: Int
        var waiting: Int
        var error: String?
    }

    func run() async throws {
        let published = try await places.change { store throws(PhoneError) in
            try await AccountKeeper(store).publish(list, to: account)
        }.get()
        let synced = published.report.lists.first { $0.name == published.list }
        let error = synced?.error
        if output.json {
            try StandardOutput.printJSON(
                Published(
                    list: published.list, account: published.account.number, address: published.address,
                    sent: synced?.round.sent ?? 0, waiting: synced?.waiting ?? 0, error: error.map { "\($0)" }))
        } else {
            try StandardOutput.print("\(published.list) is at \(published.address)\n")
            for line in synced.map(SyncText.lines) ?? [] { try StandardOutput.print(line + "\n") }
        }
        if let error { throw SyncText.exitCode(error) }
    }
}
