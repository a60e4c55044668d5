import ArgumentParser
import CommandSupport
import DeviceModel
import Foundation
import HostSystem
import Watch

/// What `tapline watch --check-flash` prints.
struct FlashCheckReport {
    let check: FlashCheck

    /// Prints what is in the file at `path`, and ends the command with 1 where something is damaged.
    static func run(path: String, json: Bool) throws {
        let report = FlashCheckReport(check: try FlashCheck(path: path))
        if json { try StandardOutput.printJSON(report.fields) } else { try StandardOutput.print(report.text) }
        if report.isDamaged { throw ExitCode(1) }
    }

    /// Whether a record is lost.
    var isDamaged: Bool { !check.findings.isComplete }

    /// One line for each thing that is in the flash.
    var text: String {
        ([("flash", "\(check.path)\(extentText)\(useText)")] + banks + [("records", recordsText)] + problems + contents
            + [("next start", nextStart)])
            .map { "\($0.0.padding(toLength: 12, withPad: " ", startingAt: 0))\($0.1)\n" }.joined()
    }

    private var useText: String {
        switch check.use {
        case .idle: ""
        case .running: " (a watch runs on it, and may have changed it meanwhile)"
        }
    }

    private var extentText: String {
        switch check.extent {
        case .whole: ""
        case .begun(let bytes): " (\(CountText(bytes, "byte")) of a chip that was never written)"
        }
    }

    private var extent: String {
        switch check.extent {
        case .whole: "whole"
        case .begun: "begun"
        }
    }

    private var banks: [(String, String)] {
        let (first, second) = check.findings.banks
        return [first, second].enumerated().map { index, bank in ("bank \(index + 1)", text(of: bank, index)) }
    }

    private func text(of bank: BankFindings, _ index: Int) -> String {
        let findings = check.findings
        switch (bank, findings.origin) {
        case (.unusable, .blank): return "erased"
        case (.unusable, _): return "no log"
        case (.prepared, _): return "erased, ready for the next change of banks"
        case (.log(_, let generation), .log(index, _)):
            return "the log, generation \(generation), \(findings.end) of \(CountText(findings.bankSize, "byte")) used"
        case (.log(let version, let generation), _): return "a log of format \(version), generation \(generation)"
        }
    }

    private var recordsText: String {
        let count = check.records.map(\.count).reduce(0, +)
        let kinds = check.records.map { "\($0.name ?? "unknown kind \($0.kind)") (\($0.count))" }
        return kinds.isEmpty ? "none" : "\(count): \(kinds.joined(separator: ", "))"
    }

    /// Damage, and what an interrupted write left.
    private var problems: [(String, String)] {
        let findings = check.findings
        let places = check.stretches.map {
            "\(hexadecimal($0.addresses.lowerBound)) (\(CountText($0.addresses.count, "byte")))"
        }
        .joined(separator: ", ")
        let unreadable = check.records.map(\.unreadable).reduce(0, +)
        var lines: [(String, String)] = []
        if findings.damaged > 0 {
            lines.append(
                (
                    "damaged",
                    "\(CountText(findings.damaged, "stretch", "stretches")) of the log; no records at \(places)"
                ))
        } else if !check.stretches.isEmpty {
            let cause = "the power failed, or more than a bit of the newest record has decayed"
            lines.append(("interrupted", "write at \(places): \(cause)"))
        }
        if unreadable > 0 {
            lines.append(("damaged", "\(CountText(unreadable, "record")) whose contents cannot be read"))
        }
        if lines.isEmpty { lines.append(("damaged", noLog ?? "nothing")) }
        if findings.repaired > 0 {
            let repaired = CountText(findings.repaired, "record or bank header", "records or bank headers")
            lines.append(("repairable", "\(repaired) with decayed bits"))
        }
        return lines
    }

    /// What is said of a chip in which no log is found, although it is not blank.
    private var noLog: String? {
        switch check.findings.origin {
        case .unreadable: "both banks: no log can be read"
        case .blank, .newerFormat, .log: nil
        }
    }

    private var contents: [(String, String)] {
        let findings = check.findings
        var lines: [(String, String)] = []
        if let identity = findings.identity {
            lines.append(
                ("watch", "\(PhoneReport.hexadecimal(identity.identity)), epoch \(String(identity.epoch, radix: 16))"))
        }
        let name = PlainLine(findings.listName.text).text
        lines.append(
            (
                "list",
                "\(name.isEmpty ? "without a name" : name): \(CountText(check.rows.count, "row")), \(findings.remaining) open"
            ))
        lines += check.rows.map { ("", "- \(PlainLine($0))") }
        lines.append(("waiting", check.waiting.isEmpty ? "nothing" : "\(check.waiting.count) for the phone"))
        lines += check.waiting.map { ("", "- \(text(of: $0))") }
        return lines
    }

    private func text(of waiting: FlashCheck.Waiting) -> String {
        switch waiting {
        case .checkOff(_, let title?): "\(PlainLine(title)) is checked off"
        case .checkOff(let item, nil): "item \(item) is checked off; its title is no longer in the log"
        case .addition(_, let title?): "\(PlainLine(title)) is added back"
        case .addition(let item, nil): "item \(item) is added back; its title is no longer in the log"
        case .reload: "the whole list is asked for"
        case .handler: "a message of the handler's own"
        }
    }

    private var nextStart: String {
        let findings = check.findings
        switch findings.origin {
        case .blank: return "a new watch"
        case .unreadable: return "it starts as a new watch: what waited is lost"
        case .newerFormat(let version):
            return "format \(version) is a newer version's: everything is forgotten; start that version instead"
        case .log where findings.isComplete: return "goes on with this"
        case .log:
            return "goes on with this under a new epoch: the phone sends its list again, and what waits is sent; "
                + "a check-off in a lost record is open again"
        }
    }

    private func hexadecimal(_ address: Int) -> String { "0x" + String(address, radix: 16) }
}

// MARK: JSON

extension FlashCheckReport {
    /// The JSON form.
    struct Fields: Encodable {
        struct Records: Encodable {
            var kind: UInt8
            var name: String?
            var count: Int
            var unreadable: Int
        }

        struct Stretch: Encodable {
            var address: Int
            var bytes: Int
        }

        struct Waiting: Encodable {
            var message: String
            var item: UInt32?
            var title: String?
        }

        var path: String
        var state: String
        var use: String
        /// "begun" for the file of a chip that was never written as a whole.
        var extent: String
        var generation: UInt32?
        var repairedRecords: Int
        var damagedStretches: Int
        var tornBytes: Int
        var stretches: [Stretch]
        var records: [Records]
        var identity: String?
        var epoch: UInt32?
        var list: String
        var remaining: UInt32
        var rows: [String]
        var waiting: [Waiting]
        var nextStart: String
    }

    /// What `--json` prints: the same as `text`.
    var fields: Fields {
        let findings = check.findings
        var generation: UInt32?
        if case .log(_, let number) = findings.origin { generation = number }
        return Fields(
            path: check.path, state: isDamaged ? "damaged" : "sound",
            use: check.use == .running ? "running" : "idle", extent: extent, generation: generation,
            repairedRecords: findings.repaired, damagedStretches: findings.damaged, tornBytes: findings.tornBytes,
            stretches: check.stretches.map {
                Fields.Stretch(address: $0.addresses.lowerBound, bytes: $0.addresses.count)
            },
            records: check.records.map {
                Fields.Records(kind: $0.kind, name: $0.name, count: $0.count, unreadable: $0.unreadable)
            },
            identity: findings.identity.map { PhoneReport.hexadecimal($0.identity) }, epoch: findings.identity?.epoch,
            list: findings.listName.text, remaining: findings.remaining, rows: check.rows,
            waiting: check.waiting.map { waiting in
                switch waiting {
                case .checkOff(let item, let title): Fields.Waiting(message: "check", item: item, title: title)
                case .addition(let item, let title): Fields.Waiting(message: "add", item: item, title: title)
                case .reload: Fields.Waiting(message: "reload")
                case .handler: Fields.Waiting(message: "handler")
                }
            }, nextStart: nextStart)
    }
}
