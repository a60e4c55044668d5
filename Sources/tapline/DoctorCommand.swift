import ArgumentParser
import CommandSupport
import Foundation

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check this machine, and print a fix for everything that is missing.",
        discussion: """
            Changes nothing. The exit status is 0 if the simulator can run, 1 otherwise; what only Bluetooth or a better \
            display needs does not count.

            EXAMPLES
              tapline doctor
              tapline doctor --json
            """)

    @OptionGroup var output: OutputOption

    func run() throws {
        let machine = HostMachine()
        let report = DoctorReport(on: machine)
        try output.print(
            report.text(marks: machine.hasUnicode ? .unicode : .plain) + "\n", json: report.findings.map(\.object))
        if !report.simulatorCanRun { throw ExitCode(1) }
    }
}

struct DoctorReport: Sendable {
    let findings: [Finding]

    init(on machine: any Machine) {
        findings = DoctorChecks.all.map { subject, purpose, check in
            let (detail, remedy) = check(machine)
            return Finding(subject: subject, purpose: purpose, detail: detail, remedy: remedy)
        }
    }

    var simulatorCanRun: Bool { !findings.contains(where: \.isFatal) }

    /// Returns the findings as lines of text, grouped by purpose. In each group, missing parts come first.
    func text(marks: Marks) -> String {
        Finding.Purpose.allCases.map { purpose in
            let group = findings.filter { $0.purpose == purpose }
            let lines = group.filter(\.isLacking) + group.filter { !$0.isLacking }
            return ([purpose.heading] + lines.map { "  " + line(for: $0, marks) }).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private func line(for finding: Finding, _ marks: Marks) -> String {
        let line = "\(finding.subject.padding(toLength: 18, withPad: " ", startingAt: 0)) \(finding.detail)"
        guard let remedy = finding.remedy else { return "\(marks.present) \(line)" }
        return "\(finding.isFatal ? marks.fatal : marks.lacking) \(line); fix: \(remedy)"
    }

    struct Marks: Sendable {
        var present: String
        var lacking: String
        var fatal: String

        static let unicode = Marks(present: "✓", lacking: "–", fatal: "✗")
        static let plain = Marks(present: "ok  ", lacking: "no  ", fatal: "BAD ")
    }
}

struct Finding: Equatable, Sendable {
    var subject: String
    var purpose: Purpose
    var detail: String
    /// The command that installs or repairs the part; nil if nothing is missing.
    var remedy: String?

    /// What a part of the machine is needed for.
    enum Purpose: String, CaseIterable, Equatable, Sendable {
        /// Tapline does not run without this part.
        case simulator
        /// This part improves how the terminal shows the watch, or lets the mouse touch it. Tapline also runs without this
        /// part.
        case display
        case bluetooth

        var heading: String { rawValue.capitalized }
    }

    var isLacking: Bool { remedy != nil }

    /// Whether the simulator cannot run because of this finding.
    var isFatal: Bool { purpose == .simulator && isLacking }

    var object: JSONObject {
        [
            "subject": subject, "purpose": purpose.rawValue, "state": isLacking ? "lacking" : "present",
            "detail": detail, "remedy": remedy,
        ]
    }
}
