import CommandSupport
import HostSystem
import MachineCode
import TapLatency

/// A report as a person reads it, or a program.
struct CyclesText {
    private let report: CycleReport
    private let clockHertz: Int?
    /// How many functions are shown.
    private static let mostRows = 10

    init(_ report: CycleReport, clockHertz: Int?) {
        self.report = report
        self.clockHertz = clockHertz
    }

    var table: String {
        var lines = [ending]
        lines.append(figure("instructions", count(report.total.instructions)))
        let (fewest, most) = (report.bounds.lowerBound, report.bounds.upperBound)
        lines.append(
            figure(
                "cycles", count(report.total.cycles), "\(count(fewest)) to \(count(most)) by the manual; no wait states"
            ))
        if let ratio = report.cyclesPerInstruction {
            lines.append(figure("cycles an instruction", FigureText(amount: ratio).plain))
        }
        if let clockHertz, let microseconds {
            let clock = FigureText(amount: Double(clockHertz) / 1e6).plain
            lines.append(figure("time", FigureText(time: microseconds).plain, "at \(clock) MHz"))
        }
        lines += ["", "      cycles    share   instructions  function"]
        lines += report.rows.prefix(CyclesText.mostRows).map(line)
        let others = report.rows.count - CyclesText.mostRows
        if others > 0 { lines.append("\(CountText(others, "further function")): see --json and --flame.") }
        if let printed { lines += ["", "It has printed:", printed] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What the program has printed; nil for nothing.
    private var printed: String? {
        report.output.isEmpty ? nil : String(decoding: report.output, as: UTF8.self)
    }

    private var ending: String {
        switch report.ending {
        case .exited(let status): "The program has ended with status \(status)."
        case .returned(let result): "The program has returned \(result)."
        case .sectionEnded: "The section has ended; the program was not executed further."
        }
    }

    private func figure(_ name: String, _ value: String, _ remark: String = "") -> String {
        let line = name.padded(to: 22) + value.aligned(to: 16)
        return remark.isEmpty ? line : "\(line)  \(remark)"
    }

    private func line(_ row: CycleReport.Row) -> String {
        let share = Double(row.own.cycles) / Double(max(report.total.cycles, 1))
        return count(row.own.cycles).aligned(to: 12) + FigureText(share: share).plain.aligned(to: 9)
            + count(row.own.instructions).aligned(to: 15) + "  " + row.function
    }

    private var microseconds: Double? { clockHertz.map { Double(report.total.cycles) * 1e6 / Double($0) } }

    private func count(_ number: UInt64) -> String { FigureText(count: Int(clamping: number)).plain }
}

extension CyclesText {
    /// The report for a program, with all functions.
    struct Fields: Encodable {
        struct Function: Encodable {
            var name: String
            var cycles: UInt64
            var instructions: UInt64
        }

        var instructions: UInt64
        var cycles: UInt64
        var fewestCycles: UInt64
        var mostCycles: UInt64
        /// Nil on a profile whose processor takes no time.
        var microseconds: Double?
        /// exited, returned or sectionEnded.
        var ending: String
        /// The status of an exit, or what was returned.
        var result: UInt32?
        var functions: [Function]
        /// What the program has printed, at most 1 MB.
        var printed: String?
    }

    var fields: Fields {
        let (ending, result): (String, UInt32?) =
            switch report.ending {
            case .exited(let status): ("exited", status)
            case .returned(let result): ("returned", result)
            case .sectionEnded: ("sectionEnded", nil)
            }
        return Fields(
            instructions: report.total.instructions, cycles: report.total.cycles,
            fewestCycles: report.bounds.lowerBound, mostCycles: report.bounds.upperBound, microseconds: microseconds,
            ending: ending, result: result,
            functions: report.rows.map {
                Fields.Function(name: $0.function, cycles: $0.own.cycles, instructions: $0.own.instructions)
            },
            printed: printed)
    }
}
