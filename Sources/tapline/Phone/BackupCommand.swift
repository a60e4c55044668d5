import ArgumentParser
import CommandSupport
import HostSystem
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

/// What `tapline phone check` prints if no item is named.
struct DatabaseCheckReport: Encodable {
    let path: String
    let state: String
    let fileBytes: Int
    let logBytes: Int
    /// A sentence for each.
    let damage: [String]
    let lists: Int
    let openItems: Int
    let checkedItems: Int
    let activeList: String?
    let watches: Int
    let waiting: Int64
    let historyEntries: Int

    /// The most sentences about damage in the text; JSON has them all.
    private static let mostDamage = 5

    /// Prints what is in the database at `path`, and ends the command with 1 if something is damaged.
    static func run(path: String, json: Bool) throws {
        let report = DatabaseCheckReport(try DatabaseCheck(path: path))
        if json { try StandardOutput.printJSON(report) } else { try StandardOutput.print(report.text) }
        if !report.damage.isEmpty { throw ExitCode(1) }
    }

    init(_ check: DatabaseCheck) {
        path = check.path
        state = check.damage.isEmpty ? "sound" : "damaged"
        (fileBytes, logBytes) = (check.fileBytes, check.logBytes)
        damage = check.damage.map { SanitizedLine(DatabaseCheckReport.sentence($0)).text }
        (lists, openItems, checkedItems) = (check.lists, check.openItems, check.checkedItems)
        activeList = check.activeList
        (watches, waiting) = (check.watches, check.waiting)
        historyEntries = check.historyEntries
    }

    /// What is damaged, and what that costs.
    private static func sentence(_ damage: DatabaseCheck.Damage) -> String {
        switch damage {
        case .file(let line): return "the file: \(line)"
        case .unreadable(nil): return "SQLite's own check does not come to the end of the file"
        case .unreadable(let table?):
            let cost =
                switch table {
                case "item", "list": "lists cannot be shown or changed, and check-offs wait on the watches"
                case "history": "what was done cannot be shown, and check-offs wait on the watches"
                case _: "watches are not served, and check-offs wait on them"
                }
            return "\(table) cannot be read to its end: \(cost)"
        case .outOfRange(let table, let column, let rows):
            return
                "\(table).\(column) of \(CountText(rows, "row")) has a value that "
                + "no version writes: the row is refused"
        case .orphans(let table, let rows):
            return "references to what is gone in \(CountText(rows, "row")) of \(table): not shown"
        case .gap(let watch, let messages):
            return
                "gone: \(CountText(messages, "message")) for watch \(PhoneReport.hexadecimal(watch)), which is given "
                + "its list anew"
        }
    }

    /// About ten lines.
    var text: String {
        var lines = [("database", "\(path), \(CountText(fileBytes, "byte"))\(logText)")]
        lines += damage.prefix(DatabaseCheckReport.mostDamage).map { ("damaged", $0) }
        if damage.count > DatabaseCheckReport.mostDamage {
            lines.append(("", "and \(damage.count - DatabaseCheckReport.mostDamage) more, which --json prints"))
        }
        lines.append(
            damage.isEmpty
                ? ("damaged", "nothing")
                : ("to do", "put a backup in its place; `tapline phone export` may still print a list"))
        let active = activeList.map { "; \"\(SanitizedLine($0))\" is on the watches" } ?? ""
        lines += [
            ("lists", "\(lists) with \(openItems) open and \(CountText(checkedItems, "checked item"))\(active)"),
            ("watches", "\(watches), with \(CountText(waiting, "message")) waiting"),
            ("history", "\(CountText(historyEntries, "entry", "entries"))"),
        ]
        return lines.map { "\($0.0.padding(toLength: 10, withPad: " ", startingAt: 0))\($0.1)\n" }.joined()
    }

    private var logText: String {
        logBytes == 0 ? "" : ", and \(CountText(logBytes, "byte")) in its log: a host serves it, or was killed"
    }
}
