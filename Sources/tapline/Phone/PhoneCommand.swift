import ArgumentParser
import CommandSupport
import Foundation
import PhoneHost

struct PhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone",
        abstract: "Serve watches and manage their lists.",
        discussion: """
            Every command works while a host serves and while none does. A change reaches the connected watches at \
            once.

            EXAMPLES
              tapline phone add Milk "Rye bread" Eggs
              tapline phone list
              tapline phone check milk
              tapline phone serve
            """,
        subcommands: [
            ServeCommand.self, AddCommand.self, ListCommand.self, CheckCommand.self, UncheckCommand.self,
            RenameCommand.self, DescribeCommand.self, MoveCommand.self, RemoveCommand.self, PastCommand.self,
            CleanCommand.self, ImportCommand.self, ExportCommand.self, BackupCommand.self, HistoryCommand.self,
            ListsCommand.self, OrderCommand.self, ShopsCommand.self, ShopCommand.self,
            AccountCommand.self, SyncCommand.self,
            ComplicationCommand.self, WatchesCommand.self, ForgetCommand.self,
        ])
}

struct PlaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The phone's database; commands that write create it.", valueName: "file"),
        completion: .file())
    var database: String = Places.usual.database

    @Option(help: ArgumentHelp("The directory of the sockets of `tapline phone serve`.", valueName: "directory"))
    var sockets: String = Places.usual.sockets

    func open() throws(PhoneError) -> PhoneStore {
        try PhoneStore(path: database)
    }

    func change<Value>(_ body: (PhoneStore) async throws(PhoneError) -> Value) async throws(PhoneError) -> Value {
        try await tellingHost { () throws(PhoneError) in
            let store = try open()
            let value = try await body(store)
            try store.close()
            return value
        }
    }

    /// Calls `body` with the database, or with a copy if this user may not write to the database. Creates a missing
    /// database only at the usual path, because a mistyped path would otherwise look like an empty list.
    func read<Value>(_ body: (PhoneStore) async throws(PhoneError) -> Value) async throws(PhoneError) -> Value {
        try PhoneStore.checkPath(database)
        if database != Places.usual.database, !FileManager.default.fileExists(atPath: database) {
            throw .cannotOpen(path: database, reason: "there is none; `tapline phone add` creates one")
        }
        let store: PhoneStore
        do throws(PhoneError) {
            store = try open()
        } catch .readOnly where FileManager.default.isReadableFile(atPath: database) {
            return try await PhoneStore.readingCopy(of: database, body)
        }
        let value = try await body(store)
        try store.close()
        return value
    }

    /// Reads a list; nil means the active list. If a shopping trip has ended since the list was last sorted, first sorts the
    /// list, and tells `tapline phone serve` to read the database again.
    func contents(of list: String?) async throws(PhoneError) -> ListContents {
        try await read { store throws(PhoneError) in
            if try await store.isOrderDue(of: list) {
                try await tellingHost { () throws(PhoneError) in try await store.settleOrder(of: list) }
            }
            return try await store.contents(of: list)
        }
    }

    /// Reads the learned order of a shop; nil means the shop of the active list. May first sort the shop's lists, and therefore
    /// tells `tapline phone serve` to read the database again.
    func order(of name: String?) async throws(PhoneError) -> ShopOrder {
        try await read { store throws(PhoneError) in
            try await tellingHost { () throws(PhoneError) in try await store.order(of: name) }
        }
    }

    private func tellingHost<Value>(_ body: () async throws(PhoneError) -> Value) async throws(PhoneError) -> Value {
        let notifier = ChangeNotifier(sockets: sockets)
        defer { notifier.finish() }
        return try await body()
    }
}

struct ListOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The list; by default the one on the watches.", valueName: "name"),
        completion: .custom(Completions.lists))
    var list: String?
}
