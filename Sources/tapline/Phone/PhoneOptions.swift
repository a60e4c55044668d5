import ArgumentParser
import Foundation
import PhoneHost

/// Where the database and the sockets are: options of every `tapline phone` command.
struct PlaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The phone's database; commands that write create it.", valueName: "file"),
        completion: .file())
    var database: String = Places.usual.database

    @Option(help: ArgumentHelp("The directory of the sockets of `tapline phone serve`.", valueName: "directory"))
    var sockets: String = Places.usual.sockets

    /// Opens the database.
    func open() throws(PhoneError) -> PhoneStore {
        try PhoneStore(path: database)
    }

    /// Opens the database, changes it, and notifies a serving host.
    func change<Value>(_ body: (PhoneStore) async throws(PhoneError) -> Value) async throws(PhoneError) -> Value {
        let notifier = ChangeNotifier(sockets: sockets)
        defer { notifier.finish() }
        let store = try open()
        let value = try await body(store)
        try store.close()
        return value
    }

    /// Opens the database and reads from it. Only the usual one is created where it is missing: a name with a typing error
    /// would otherwise look like an empty list. Of one that cannot be written a copy is read.
    func look<Value>(_ body: (PhoneStore) async throws(PhoneError) -> Value) async throws(PhoneError) -> Value {
        if !database.isEmpty, database != Places.usual.database, !FileManager.default.fileExists(atPath: database) {
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
}

/// Which list a command is about.
struct ListOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The list; by default the one on the watches.", valueName: "name"),
        completion: .custom(Completions.lists))
    var list: String?
}

struct OutputOption: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    var json = false
}
