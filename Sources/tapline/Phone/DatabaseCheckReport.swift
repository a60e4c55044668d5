import ArgumentParser
import CommandSupport
import Foundation
import HostSystem
import PhoneHost

/// What `tapline phone check` prints where no item is named.
struct DatabaseCheckReport {
    let check: DatabaseCheck

    /// Prints what is in the database at `path`, and ends the command with 1 where something is damaged.
    static func run(path: String, json: Bool) throws {
        let report = DatabaseCheckReport(check: try DatabaseCheck(path: path))
        if json { try StandardOutput.printJSON(report.fields) } else { try StandardOutput.print(report.text) }
        if report.check.isDamaged { throw ExitCode(1) }
    }

    /// One line for each thing that is in the database.
    var text: String {
        ([("database", "\(check.path), \(CountText(check.fileBytes, "byte"))\(logText)"), ("schema", schemaText)]
            + problems
            + contents)
            .map { "\($0.0.padding(toLength: 12, withPad: " ", startingAt: 0))\($0.1)\n" }.joined()
    }

    private var logText: String {
        check.logBytes == 0
            ? "" : ", and \(CountText(check.logBytes, "byte")) in its log: a host serves it, or was killed"
    }

    private var schemaText: String {
        let names = check.migrations.map { "\"\(clean($0))\"" }.joined(separator: ", ")
        switch check.schema {
        case .present: return names
        case .older: return "\(names); the next command adds what is new"
        case .newer: return "\(names); written by a newer Tapline, which this one refuses to touch"
        }
    }

    private var problems: [(String, String)] {
        var lines = logProblems
        lines += check.integrity.map { ("damaged", clean($0)) }
        lines += check.unreadable.map { ("damaged", DatabaseCheckReport.unreadable(clean($0))) }
        lines += check.outOfRange.map {
            (
                "damaged",
                "\(clean($0.table)).\(clean($0.column)) of \(CountText($0.rows, "row")) has a value that no version writes, "
                    + "which is refused"
            )
        }
        lines += check.orphans.sorted { $0.key < $1.key }.map {
            ("damaged", "references to what is gone: \(CountText($0.value, "row")) of \(clean($0.key))")
        }
        lines += check.gaps.map {
            (
                "damaged",
                "gone: \(CountText($0.waiting - $0.queued, "message")) for watch \(PhoneReport.hexadecimal($0.identity))"
            )
        }
        if !check.integrity.isEmpty || !check.unreadable.isEmpty {
            lines.append(("to do", "restore a copy; `tapline phone export` may still read a list"))
        }
        return lines.isEmpty ? [("damaged", "nothing")] : lines
    }

    /// What the log has lost, and what may be done before a command opens the database.
    private var logProblems: [(String, String)] {
        let cost =
            switch check.log {
            case .whole: ""
            case .unread: "the log's header: nothing that is in the log can be read"
            case .cut(let transactions):
                "the log ends early: \(CountText(transactions, "transaction")) in or "
                    + "behind a damaged place cannot be read"
            }
        guard !cost.isEmpty else { return [] }
        let advice = "keep a copy of the database and its log, which the next command writes over; add what is missing"
        return [("damaged", cost), ("to do", advice)]
    }

    /// What it costs that a table cannot be read to its end.
    private static func unreadable(_ table: String) -> String {
        guard table != DatabaseCheck.wholeFile else { return "SQLite's own check does not come to the end of the file" }
        let cost =
            switch table {
            case "item", "list": "lists cannot be shown or changed, and check-offs wait on the watches"
            case "history": "what was done cannot be shown, and check-offs wait on the watches"
            case _: "watches are not served, and check-offs wait on them"
            }
        return "\(table) cannot be read to its end: \(cost)"
    }

    private var contents: [(String, String)] {
        check.lists.map { list in
            let role = list.role == .active ? ", on the watches" : ""
            return ("list", "\(clean(list.name)): \(list.open) open, \(list.checked) checked\(role)")
        }
            + check.watches.map { watch in
                let name = watch.name.isEmpty ? "" : " (\(clean(watch.name)))"
                return (
                    "watch",
                    "\(PhoneReport.hexadecimal(watch.identity))\(name): \(CountText(watch.waiting, "message")) waiting"
                )
            }
            + [
                ("history", "\(CountText(check.historyEntries, "entry", "entries"))"),
                ("latest", "\(CountText(check.latestValues, "value"))"),
            ]
    }

    private func clean(_ text: String) -> String { PlainLine(text).text }
}

// MARK: JSON

extension DatabaseCheckReport {
    /// The JSON form.
    struct Fields: Encodable {
        struct List: Encodable {
            var name: String
            var open: Int
            var checked: Int
            var role: String
        }

        struct Watch: Encodable {
            var identity: String
            var name: String
            var waiting: Int64
            var queued: Int64
        }

        struct Log: Encodable {
            var state: String
            /// How many cannot be read, where that is known.
            var transactions: Int?
        }

        struct OutOfRange: Encodable {
            var table: String
            var column: String
            var rows: Int
        }

        var path: String
        var state: String
        var fileBytes: Int
        var logBytes: Int
        var log: Log
        var migrations: [String]
        var schema: String
        var integrity: [String]
        var unreadable: [String]
        var orphans: [String: Int]
        var outOfRange: [OutOfRange]
        var lists: [List]
        var watches: [Watch]
        var historyEntries: Int
        var latestValues: Int
    }

    private var logFields: Fields.Log {
        switch check.log {
        case .whole: Fields.Log(state: "whole", transactions: 0)
        case .unread: Fields.Log(state: "unread")
        case .cut(let transactions): Fields.Log(state: "cut", transactions: transactions)
        }
    }

    /// What `--json` prints: the same as `text`.
    var fields: Fields {
        Fields(
            path: check.path, state: check.isDamaged ? "damaged" : "sound", fileBytes: check.fileBytes,
            logBytes: check.logBytes, log: logFields, migrations: check.migrations, schema: "\(check.schema)",
            integrity: check.integrity, unreadable: check.unreadable, orphans: check.orphans,
            outOfRange: check.outOfRange.map {
                Fields.OutOfRange(table: $0.table, column: $0.column, rows: $0.rows)
            },
            lists: check.lists.map {
                Fields.List(name: $0.name, open: $0.open, checked: $0.checked, role: $0.role.rawValue)
            },
            watches: check.watches.map {
                Fields.Watch(
                    identity: PhoneReport.hexadecimal($0.identity), name: $0.name, waiting: $0.waiting,
                    queued: $0.queued)
            }, historyEntries: check.historyEntries, latestValues: check.latestValues)
    }
}
