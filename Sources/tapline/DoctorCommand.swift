import ArgumentParser
import CommandSupport
import Foundation

/// `tapline doctor`: what this machine has and lacks.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check this machine, and print a fix for everything that is missing.",
        discussion: """
            Changes nothing. The exit status is 0 if the simulator can run, 1 otherwise; what only Bluetooth, the \
            firmware or a better display needs does not count.

            EXAMPLES
              tapline doctor
              tapline doctor --json
            """)

    @Flag(help: "Print JSON instead of text.")
    var json = false

    func run() throws {
        let machine = HostMachine()
        let report = DoctorReport(on: machine)
        try StandardOutput.print(
            (json ? try report.json() : report.text(marks: machine.hasUnicode ? .unicode : .plain)) + "\n")
        if !report.simulatorCanRun { throw ExitCode(1) }
    }
}

/// What the doctor found on a machine, to be printed.
struct DoctorReport: Sendable {
    let findings: [Finding]

    init(on machine: any Machine) {
        findings = DoctorChecks.all.map { $0(machine) }
    }

    /// Whether everything is there that the simulator needs.
    var simulatorCanRun: Bool { !findings.contains(where: \.isFatal) }

    /// A group for each purpose, and in it a line for each finding, those that lack something first: a mark, the subject, what was
    /// found, and how to fix it.
    func text(marks: Marks) -> String {
        Finding.Purpose.allCases.map { purpose in
            let group = findings.filter { $0.purpose == purpose }
            let lines = group.filter(\.isLacking) + group.filter { !$0.isLacking }
            return ([purpose.heading] + lines.map { "  " + line(for: $0, marks) }).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private func line(for finding: Finding, _ marks: Marks) -> String {
        let subject = finding.subject.padding(toLength: 18, withPad: " ", startingAt: 0)
        switch finding.outcome {
        case .present(let detail):
            return "\(marks.present) \(subject) \(detail)"
        case .lacking(let detail, let remedy):
            let mark = finding.isFatal ? marks.fatal : marks.lacking
            return "\(mark) \(subject) \(detail); fix: \(remedy)"
        }
    }

    /// The findings as a JSON array of objects with `subject`, `purpose`, `state` ("present" or "lacking"), `detail`
    /// and, if something is missing, `remedy`.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(findings.map(Row.init)), as: UTF8.self)
    }

    struct Marks: Sendable {
        var present: String
        var lacking: String
        var fatal: String

        static let unicode = Marks(present: "✓", lacking: "–", fatal: "✗")
        static let plain = Marks(present: "ok  ", lacking: "no  ", fatal: "BAD ")
    }

    private struct Row: Encodable {
        let subject: String
        let purpose: String
        let state: String
        let detail: String
        let remedy: String?

        init(_ finding: Finding) {
            subject = finding.subject
            purpose = finding.purpose.rawValue
            switch finding.outcome {
            case .present(let detail): (state, self.detail, remedy) = ("present", detail, nil)
            case .lacking(let detail, let remedy): (state, self.detail, self.remedy) = ("lacking", detail, remedy)
            }
        }
    }
}

struct Finding: Equatable, Sendable {
    var subject: String
    var purpose: Purpose
    var outcome: Outcome

    /// What needs a part of the machine.
    enum Purpose: String, CaseIterable, Equatable, Sendable {
        /// Tapline does not run without it.
        case simulator
        /// The watch looks better with it; without it there is plain text.
        case display
        /// A real dongle needs it.
        case bluetooth
        /// The firmware's image needs it.
        case firmware

        var heading: String {
            switch self {
            case .simulator: "Simulator"
            case .display: "Display"
            case .bluetooth: "Bluetooth"
            case .firmware: "Firmware"
            }
        }
    }

    enum Outcome: Equatable, Sendable {
        /// It is; `detail` says more about it.
        case present(detail: String)
        /// It is missing or unusable: why, and the one command that fixes it.
        case lacking(detail: String, remedy: String)
    }

    static func present(_ subject: String, for purpose: Purpose, _ detail: String) -> Finding {
        Finding(subject: subject, purpose: purpose, outcome: .present(detail: detail))
    }

    static func lacking(_ subject: String, for purpose: Purpose, _ detail: String, remedy: String) -> Finding {
        Finding(subject: subject, purpose: purpose, outcome: .lacking(detail: detail, remedy: remedy))
    }

    var isLacking: Bool {
        switch outcome {
        case .present: false
        case .lacking: true
        }
    }

    /// Whether the simulator cannot run because of this.
    var isFatal: Bool {
        switch (purpose, outcome) {
        case (.simulator, .lacking): true
        case (.simulator, .present), (.display, _), (.bluetooth, _), (.firmware, _): false
        }
    }
}
