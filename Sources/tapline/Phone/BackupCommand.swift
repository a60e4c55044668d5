import ArgumentParser
import CommandSupport
import PhoneHost

/// `tapline phone backup`: copies the database to a file.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database to a file, also while a host serves.",
        discussion: """
            The copy has everything that was stored before the command started: lists, history, watches and their \
            queues. It is one file, which only you can read. Passwords of calendar servers are not in it.

            To restore it, stop the host, remove the database's -wal and -shm files if they are there, copy the backup \
            over the database, and start the host again. Each watch detects the older database and gets its list \
            again. Both sides report the check-offs that the backup lacks.

            EXAMPLES
              tapline phone backup list.sqlite
              tapline phone backup list.sqlite --force
              tapline phone backup list.sqlite --database phone.sqlite --json
            """)

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Flag(help: "Replace the file if it is there.")
    var force = false

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        try await places.look { store throws(PhoneError) in try await store.backUp(to: file, replacing: force) }
        guard output.json else { return try StandardOutput.print("Copied \(places.database) to \(file)\n") }
        try StandardOutput.printJSON(PhoneReport.Backup(database: places.database, file: file))
    }
}
