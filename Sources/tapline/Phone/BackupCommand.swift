import ArgumentParser
import CommandSupport
import HostSystem
import PhoneHost

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
        try await places.read { store throws(PhoneError) in try await store.backUp(to: file, replacing: force) }
        let report: JSONObject = ["database": places.database, "file": file]
        try output.print("Copied \(places.database) to \(file)\n", json: report)
    }
}

/// The report that `tapline phone check` prints if the user names no item. It covers the whole database.
struct DatabaseCheckReport {
    private let check: DatabaseCheck
    private let damage: [String]

    private static let mostDamageInText = 5

    /// Checks the database at `path`, and prints the report. Throws `ExitCode(1)` if there is damage.
    static func run(path: String, _ output: OutputOption) throws {
        let report = DatabaseCheckReport(try DatabaseCheck(path: path))
        try output.print(report.text, json: report.object)
        if !report.damage.isEmpty { throw ExitCode(1) }
    }

    private init(_ check: DatabaseCheck) {
        self.check = check
        damage = check.damage.map { SanitizedLine(DatabaseCheckReport.sentence($0)).text }
    }

    private var object: JSONObject {
        [
            "path": check.path, "state": damage.isEmpty ? "sound" : "damaged", "fileBytes": check.fileBytes,
            "logBytes": check.logBytes, "damage": damage, "lists": check.lists, "openItems": check.openItems,
            "checkedItems": check.checkedItems, "activeList": check.activeList, "watches": check.watches,
            "waiting": check.waiting, "historyEntries": check.historyEntries,
        ]
    }

    private static func sentence(_ damage: DatabaseCheck.Damage) -> String {
        switch damage {
        case .file(let line): return "the file: \(line)"
        case .unreadable(nil): return "SQLite's check cannot read the file to its end"
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
            return "references to missing rows in \(CountText(rows, "row")) of \(table): not shown"
        case .gap(let watch, let messages):
            return
                "missing: \(CountText(messages, "message")) for watch \(PhoneReport.hexadecimal(watch)), which gets "
                + "its whole list again"
        case .noActiveList: return "no list is the active one: lists cannot be shown, and watches are not served"
        }
    }

    private var text: String {
        let log =
            check.logBytes == 0
            ? "" : ", and \(CountText(check.logBytes, "byte")) in its log: a host serves it, or was killed"
        var lines = [("database", "\(check.path), \(CountText(check.fileBytes, "byte"))\(log)")]
        lines += damage.prefix(DatabaseCheckReport.mostDamageInText).map { ("damaged", $0) }
        let others = damage.count - DatabaseCheckReport.mostDamageInText
        if others > 0 { lines.append(("", "and \(others) more, which --json prints")) }
        lines.append(
            damage.isEmpty
                ? ("damaged", "nothing")
                : ("to do", "put a backup in its place; `tapline phone export` may still print a list"))
        let active = check.activeList.map { "; \"\(SanitizedLine($0))\" is on the watches" } ?? ""
        lines += [
            (
                "lists",
                "\(check.lists) with \(check.openItems) open and \(CountText(check.checkedItems, "checked item"))\(active)"
            ),
            ("watches", "\(check.watches), with \(CountText(check.waiting, "message")) waiting"),
            ("history", "\(CountText(check.historyEntries, "entry", "entries"))"),
        ]
        return lines.map { "\($0.0.padding(toLength: 10, withPad: " ", startingAt: 0))\($0.1)\n" }.joined()
    }
}
