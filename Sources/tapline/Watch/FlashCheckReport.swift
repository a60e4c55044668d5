import ArgumentParser
import CommandSupport
import DeviceModel
import Foundation
import HostSystem

struct FlashCheckReport {
    let check: FlashCheck

    /// Checks the flash file at `path`, and prints the report. Throws `ExitCode(1)` if there is damage.
    static func run(path: String, json: Bool) throws {
        let report = FlashCheckReport(check: try FlashCheck(path: path))
        if json { try StandardOutput.printJSON(report.object) } else { try StandardOutput.print(report.text) }
        if !report.check.findings.isComplete { throw ExitCode(1) }
    }

    var text: String {
        let findings = check.findings
        let name = SanitizedLine(findings.listName.text).text
        let lines = [
            ("flash", check.path + (check.isInUse ? " (a watch runs on it, and may have changed it meanwhile)" : "")),
            ("log", log),
            ("damaged", damage.isEmpty ? "nothing" : damage.joined(separator: ", ")),
            ("watch", findings.identity.map(PhoneReport.hexadecimal) ?? "without a number"),
            (
                "list",
                "\(name.isEmpty ? "without a name" : name): \(CountText(findings.rows, "row")), \(findings.remaining) open"
            ),
            ("waiting", check.waiting.isEmpty ? "nothing" : "\(check.waiting.count) for the phone: \(waiting)"),
            ("next start", nextStart),
        ]
        return lines.map { "\($0.0.padding(toLength: 12, withPad: " ", startingAt: 0))\($0.1)\n" }.joined()
    }

    private var log: String {
        let findings = check.findings
        return switch findings.origin {
        case .blank: "none: the chip is empty"
        case .unreadable: "unreadable"
        case .newerFormat(let version): "of format \(version), which a newer version wrote"
        case .log(let generation):
            "generation \(generation), \(findings.end) of \(CountText(findings.bankSize, "byte")) used"
        }
    }

    private var damage: [String] {
        let findings = check.findings
        var damage: [String] = []
        if findings.origin == .unreadable { damage.append("all of the log") }
        if findings.damaged > 0 { damage.append("\(CountText(findings.damaged, "stretch", "stretches")) of the log") }
        if findings.unreadable > 0 {
            damage.append("\(CountText(findings.unreadable, "record")) whose contents cannot be read")
        }
        return damage
    }

    private var waiting: String {
        check.waiting.map { message in
            switch message {
            case .checkOff(_, let title?): "\(SanitizedLine(title)) is checked off"
            case .checkOff(let item, nil): "item \(item) is checked off"
            case .addition(_, let title?): "\(SanitizedLine(title)) is added back"
            case .addition(let item, nil): "item \(item) is added back"
            case .reload: "a request for the whole list"
            case .handler: "a message of the handler"
            }
        }.joined(separator: ", ")
    }

    private var nextStart: String {
        let findings = check.findings
        switch findings.origin {
        case .blank: return "a new watch"
        case .unreadable: return "a new watch: waiting messages are lost"
        case .newerFormat: return "forgets everything, and waiting messages are lost: start that version instead"
        case .log where findings.isComplete: return "continues with this"
        case .log:
            return "continues with this under a new epoch: the phone sends its list again, waiting messages are sent, "
                + "and items whose check-off is in a lost record are open again"
        }
    }
}

extension FlashCheckReport {
    private var object: JSONObject {
        let findings = check.findings
        let generation: UInt32? = if case .log(let number) = findings.origin { number } else { nil }
        return [
            "path": check.path, "state": findings.isComplete ? "sound" : "damaged",
            "use": check.isInUse ? "running" : "idle", "generation": generation,
            "damagedStretches": findings.damaged, "unreadableRecords": findings.unreadable,
            "identity": findings.identity.map(PhoneReport.hexadecimal), "list": findings.listName.text,
            "rows": findings.rows, "remaining": findings.remaining,
            "waiting": check.waiting.map { message -> JSONObject in
                switch message {
                case .checkOff(let item, let title): ["message": "check", "item": item, "title": title]
                case .addition(let item, let title): ["message": "add", "item": item, "title": title]
                case .reload: ["message": "reload"]
                case .handler: ["message": "handler"]
                }
            }, "nextStart": nextStart,
        ]
    }
}
