import CommandSupport
import TapLatency

/// The functions that the cycles of a handler's stages went to, as a text.
struct StageCode {
    let report: TapReport
    let width: Int
    let ink: TerminalInk

    private static let mostFunctions = 10

    /// A line for each stage that takes a share worth naming, with the function that spends most itself.
    var overview: [String] {
        let lines = report.notableStages.compactMap { part, share in
            part.largest(1).first.map {
                part.name.padded(to: 24) + percent(share).aligned(to: 6) + "  \(percent($0.share)) in \($0.name)"
            }
        }
        let head = "\(report.handler): the stage's share of the processor's cycles, and where most of them go"
        return lines.isEmpty ? [] : ["", ink.faint(head)] + lines
    }

    /// The same stages and what runs around them, each with up to ten functions; none where the machine code was not executed.
    var lines: [String] {
        (report.notableStages.map(\.part) + [report.codeAroundStages].compactMap { $0 }).flatMap(functions)
    }

    private func functions(of part: CodePart) -> [String] {
        let functions = part.largest(StageCode.mostFunctions)
        guard let first = functions.first else { return [] }
        let head = "cycles a tap".aligned(to: 14) + "share".aligned(to: 8) + "  function, without what it calls"
        return ["", ink.bold("\(part.name): \(percent(first.share)) in \(first.name)"), ink.faint(head)]
            + functions.map { function in
                let cycles = Double(function.cycles) / Double(max(report.taps, 1))
                let row =
                    FigureText(count: Int(cycles.rounded())).plain.aligned(to: 14)
                    + percent(function.share).aligned(to: 8)
                let room = max(24, width - row.count - 2)
                return row + "  " + function.name.padded(to: min(room, function.name.count))
            }
    }

    private func percent(_ share: Double) -> String { FigureText(share: share).plain }
}
