import Foundation

/// What the doctor found on a machine, to be printed.
struct DoctorReport: Sendable {
    /// The findings, in the order of the checks.
    let findings: [Finding]

    init(on machine: some Machine, checks: [any Check] = allChecks) {
        findings = checks.map { $0.finding(on: machine) }
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
    /// and, where something lacks, `remedy`.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(findings.map(Row.init)), as: UTF8.self)
    }

    /// The signs in front of a line.
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
