import ArgumentParser
import CalDAV
import Foundation
import HostSystem
import PhoneHost

/// `tapline phone account`: the calendar servers that lists are kept on, too.
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Keep lists on a calendar server (CalDAV), too.",
        discussion: """
            Each collection of the server that takes to-dos becomes a list. `tapline phone sync` and a host that \
            serves keep both sides in step.

            EXAMPLES
              tapline phone account add https://cloud.example.org --user ann
              tapline phone account list
            """,
        subcommands: [AccountAddCommand.self, AccountListCommand.self, AccountRemoveCommand.self])
}

/// `tapline phone account add`: finds the lists of a server, and keeps them.
struct AccountAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an account, and fetch its lists.",
        discussion: """
            The address is that of the server, or of one collection. The password is asked for on the terminal, or is \
            the first line of the standard input; it is kept in a file beside the database that only you can read. \
            A list here with the name of a collection is joined with it.

            EXAMPLES
              tapline phone account add https://cloud.example.org --user ann
              tapline phone account add https://nas.local:5232/ann/food/ --user ann --certificate nas.pem
              printf 'secret' | tapline phone account add https://cloud.example.org --user ann
            """)

    @Argument(help: "The address of the server, or of a collection.")
    var address: String

    @Option(help: ArgumentHelp("The user there; none for a server that asks for none.", valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp("The server's own certificate (PEM), where no authority signed it.", valueName: "file"),
        completion: .file())
    var certificate: String?

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let place = try WebAddress(address)
        let path = certificate.map { URL(filePath: $0).path }
        if let path, !FileManager.default.isReadableFile(atPath: path) {
            throw PhoneError.file(path: path, reason: "the certificate cannot be read: name a file in PEM")
        }
        let password = try user.map { try PasswordPrompt.read("Password of \($0) at \(place.host): ") }
        let found = try await AccountSync.discover(
            place, over: CurlTransport(certificate: path), user: user, password: password)
        let account = CalendarAccount(address: place.text, user: user, certificate: path, place: found.0)
        let passwords = PasswordFile(besideDatabase: places.database)
        let reports = try await places.change { store throws(PhoneError) in
            let number = try await store.add(account)
            try passwords.keep(password, of: number)
            return try await AccountKeeper(store).syncOnce()
        }
        try SyncText.print(reports.filter { $0.account.address == account.address }, output)
    }
}

/// `tapline phone account list`: prints the accounts.
struct AccountListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the accounts and their lists.",
        discussion: """
            EXAMPLES
              tapline phone account list
              tapline phone account list --json
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    private struct Account: Encodable {
        var number: Int64
        var address: String
        var user: String?
        var lists: [List]
    }

    private struct List: Encodable {
        var name: String
        var address: String
        var items: Int
        var waiting: Int
        var leftAlone: Int
        var state: String
    }

    func run() async throws {
        let accounts = try await places.look { store throws(PhoneError) in
            var accounts: [Account] = []
            for account in try await store.accounts() {
                let lists = try await store.calendars(of: account.number).map {
                    List(
                        name: $0.name, address: $0.address.text, items: $0.items, waiting: $0.waiting,
                        leftAlone: $0.leftAlone, state: $0.state.rawValue)
                }
                accounts.append(
                    Account(number: account.number, address: account.address, user: account.user, lists: lists))
            }
            return accounts
        }
        guard !output.json else { return try PhoneReport.printJSON(accounts) }
        for account in accounts {
            let user = account.user.map { " as \($0)" } ?? ""
            try PhoneReport.write("\(account.number)  \(account.address)\(user)\n")
            for list in account.lists {
                let state = list.state == "gone" ? ", no longer on the server" : ""
                try PhoneReport.write(
                    "   \(list.name): \(CountText(list.items, "item")), \(list.waiting) to be sent, "
                        + "\(list.leftAlone) left alone\(state)\n")
            }
        }
    }
}

/// `tapline phone account remove`: forgets an account; the rows stay.
struct AccountRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Forget an account; its lists stay here, and its items there.",
        discussion: """
            Changes that were not sent yet stay in the lists here.

            EXAMPLES
              tapline phone account remove 1
            """)

    @Argument(help: "The number or the address of the account.")
    var name: String

    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let passwords = PasswordFile(besideDatabase: places.database)
        let account = try await places.change { store throws(PhoneError) in
            let account = try await store.account(name)
            try passwords.keep(nil, of: account.number)
            try await store.removeAccount(account.number)
            return account
        }
        try PhoneReport.write("Forgot \(account.address); its lists stay here\n")
    }
}
