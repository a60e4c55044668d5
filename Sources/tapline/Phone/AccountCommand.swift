import ArgumentParser
import CalDAV
import CommandSupport
import Foundation
import HostSystem
import PhoneHost

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Keep lists on a calendar server (CalDAV), too.",
        discussion: """
            Each collection for to-dos on the server becomes a list, and `publish` puts a list of the phone on the server. \
            `tapline phone sync`, and a serving host, keep both sides in step.

            EXAMPLES
              tapline phone account add https://cloud.example.org --user ann
              tapline phone account publish Camping
              tapline phone account list
            """,
        subcommands: [
            AccountAddCommand.self, AccountPublishCommand.self, AccountListCommand.self, AccountRemoveCommand.self,
        ])
}

struct AccountAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an account, and fetch its lists.",
        discussion: """
            Give the address of the server, or of one collection. The command asks for the password on the terminal, or reads \
            the first line of the standard input. It keeps the password in the keyring of your desktop session (Secret Service) \
            or, without one, in a file beside the database that only you can read. A list here with the name of a collection is \
            joined with it. The exit status is that of `sync`.

            EXAMPLES
              tapline phone account add https://cloud.example.org --user ann
              tapline phone account add https://nas.local:5232/ann/food/ --user ann --certificate nas.pem
              printf 'secret' | tapline phone account add https://cloud.example.org --user ann
            """)

    @Argument(help: "The address of the server, or of a collection.")
    var address: String

    @Option(help: ArgumentHelp("The user on the server, if it asks for one.", valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp("The server's own certificate (PEM), if no authority signed it.", valueName: "file"),
        completion: .file())
    var certificate: String?

    @Option(
        help: ArgumentHelp(
            "Where to keep the password: keyring or file; by default the keyring, if any.", valueName: "place"))
    var passwordIn: AccountPasswords.Choice?

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let place = try WebAddress(address)
        let path = try certificate.map { try $0.resolvedPath() }
        if let path, !FileManager.default.isReadableFile(atPath: path) {
            throw PhoneError.file(path: path, reason: "the certificate cannot be read: name a file in PEM")
        }
        let password = try user.map { try PasswordPrompt.read("Password of \($0) at \(place.host): ") }
        let found = try await AccountSync.discover(
            place, over: CurlTransport(certificate: path), user: user, password: password)
        let account = CalendarAccount(address: place.text, user: user, certificate: path, place: found.place)
        let passwords = AccountPasswords(besideDatabase: places.database)
        let (kept, reports) = try await places.change { store throws(PhoneError) in
            let kept = try await add(account, password, to: store, passwords)
            return (kept, try await AccountKeeper(store).syncOnce())
        }
        if let text = kept.text(places.database), !output.json {
            try StandardOutput.print("The password is in \(text)\n")
        }
        let own = reports.filter { $0.account.address == account.address }
        try SyncText.print(own, output)
        if let failure = SyncText.failure(own) { throw failure }
        guard !output.json, own.allSatisfy({ $0.lists.isEmpty }) else { return }
        try StandardOutput.print("The server has no list yet: `tapline phone account publish` puts one there\n")
    }

    /// Adds an account and its password. If the password cannot be stored, the account is not added.
    private func add(
        _ account: CalendarAccount, _ password: String?, to store: PhoneStore, _ passwords: AccountPasswords
    ) async throws(PhoneError) -> PasswordPlace {
        var account = account
        account.number = try await store.add(account)
        guard let password else { return .none }
        do throws(PhoneError) {
            return try await passwords.keep(password, of: account, in: passwordIn)
        } catch {
            try await store.removeAccount(account.number)
            throw error
        }
    }
}

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

    func run() async throws {
        let passwords = AccountPasswords(besideDatabase: places.database)
        var (text, report) = ("", [JSONObject]())
        try await places.read { store throws(PhoneError) in
            for account in try await store.accounts() {
                let lists = try await store.calendars(of: account.number)
                let place = try await passwords.place(of: account)
                let user = account.user.map { " as \($0)" } ?? ""
                let password = place.text(places.database).map { ", password in \($0)" } ?? ""
                text += "\(account.number)  \(account.address)\(user)\(password)\n" + lists.map(line).joined()
                report.append([
                    "number": account.number, "address": account.address, "user": account.user,
                    "password": place.rawValue, "lists": lists.map(object),
                ])
            }
        }
        try output.print(text, json: report)
    }

    private func line(_ list: CalendarList) -> String {
        let state = list.state == .gone ? ", no longer on the server" : ""
        return "   \(list.name): \(CountText(list.items, "item")), \(list.waiting) to be sent, "
            + "\(list.unsynced.count { $0.fate == .leftAlone }) left alone, "
            + "\(list.unsynced.count { $0.fate == .refused }) refused\(state)\n"
            + list.unsynced.map { "      \(SyncText.line($0))\n" }.joined()
    }

    private func object(_ list: CalendarList) -> JSONObject {
        [
            "name": list.name, "address": list.address.text, "items": list.items, "waiting": list.waiting,
            "leftAlone": SyncText.objects(list.unsynced, .leftAlone),
            "refused": SyncText.objects(list.unsynced, .refused),
            "state": list.state.rawValue,
        ]
    }
}

struct AccountRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Forget an account; its lists stay here, and its items there.",
        discussion: """
            Changes that were not sent yet stay in the lists here. Its password is removed, too.

            EXAMPLES
              tapline phone account remove 1
            """)

    @Argument(help: "The number or the address of the account.")
    var name: String

    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let passwords = AccountPasswords(besideDatabase: places.database)
        let account = try await places.change { store throws(PhoneError) in
            let account = try await store.account(name)
            do throws(PhoneError) { try await passwords.forget(account) } catch .account(.keyring) {
                // The account can be removed even if its keyring is not available.
                let label = SanitizedLine(Keyring.label(of: account)).text
                let line = "The keyring cannot be used: remove \"\(label)\" there yourself\n"
                FileHandle.standardError.write(Data(line.utf8))
            }
            try await store.removeAccount(account.number)
            return account
        }
        try StandardOutput.print("Forgot \(account.address); its lists stay here\n")
    }
}

extension AccountPasswords.Choice: ExpressibleByArgument {}

extension PasswordPlace {
    /// Says where the password is; nil if the account has no password. `database` is a path.
    fileprivate func text(_ database: String) -> String? {
        switch self {
        case .none: nil
        case .file: "\(PasswordFile(besideDatabase: database).path), which only you can read"
        case .keyring: "the keyring"
        case .lockedKeyring: "the keyring, which is locked"
        case .unreachableKeyring: "the keyring, which cannot be reached"
        case .missing: "neither the keyring nor the file"
        }
    }
}

struct AccountPublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Put a list of the phone on a calendar server.",
        discussion: """
            The server gets a new collection with the name of the list and all its items, checked-off ones too. From then on \
            both sides are kept in step, and other phones and programs of the account see the list. If the command is \
            interrupted, run it again: the list is never there twice.

            EXAMPLES
              tapline phone account publish Camping
              tapline phone account publish Camping --account 2
              tapline phone account publish Camping --account https://cloud.example.org --json
            """)

    @Argument(help: "The list.", completion: .custom(Completions.lists))
    var list: String

    @Option(
        help: ArgumentHelp(
            "The number or the address of the account; by default the only one that can have new lists.",
            valueName: "name"))
    var account: String?

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let published = try await places.change { store throws(PhoneError) in
            try await AccountKeeper(store).publish(list, to: account)
        }.get()
        var own = published.report
        own.lists = own.lists.filter { $0.name == published.list }
        let synced = own.lists.first
        let error = synced?.error
        let lines =
            ["\(published.list) is at \(published.address)"] + (synced.map(SyncText.lines) ?? [])
            + SyncText.items(own)
        let report: JSONObject = [
            "list": published.list, "account": published.account.number, "address": published.address,
            "sent": synced?.round.sent ?? 0, "waiting": synced?.waiting ?? 0,
            "refused": SyncText.objects(synced?.unsynced ?? [], .refused), "error": error.map { "\($0)" },
        ]
        try output.print(lines.map { $0 + "\n" }.joined(), json: report)
        if let failure = SyncText.failure([own]) { throw failure }
    }
}
