import ArgumentParser
import CommandSupport
import DeviceModel
import Emulator
import Foundation
import TapLatency
import Watch

struct LabTableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Show what the parts of a tap execute, stage by stage and around the stages.",
        discussion: """
            Executes the shipping handler of the image for the lab (Hardware/build --lab, or the one of --lab-image) on lists of \
            several lengths, and prints the instructions and cycles of each part: the mean of many taps on the processor of \
            memory-lcd. The watch in the terminal executes no machine code, and takes its times from this table. Step 19 of the \
            lab compares the table's predictions with the execution.

            EXAMPLES
              Hardware/build --lab && tapline lab table
              tapline lab table --source > Simulator/DeviceModel/Profile/CountTable+Measured.swift
            """)

    @ParentCommand var lab: LabCommand

    @Flag(help: "Print the table as the source file of the device model.")
    var source = false

    private static let taps = 24

    private static var today: String { Date.now.formatted(.iso8601.year().month().day()) }

    func run() throws {
        let path = lab.labImage ?? FirmwareImage.lab.usualPath
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure("there is no image at \(path) to execute: Hardware/build --lab makes it")
        }
        let image = try LabImage(file: path)
        let columns = try ProgressLine.during { progress in
            try CountTable.columns.enumerated().map { number, items in
                progress.show(number, of: CountTable.columns.count, "a list of \(items) items")
                return try CountColumn(image, items: items, taps: Self.taps)
            }
        }
        try StandardOutput.write(
            source ? columns.source(day: Self.today, taps: Self.taps) : columns.text.forStandardOutput)
    }
}

extension HandlerCounts {
    /// Makes a table for each handler, with a row for each stage. For each list length, a row has the maximum number of
    /// instructions in a tap. The row also has the time of the slowest tap on any list.
    func text(on device: DeviceProfile) -> ReportText {
        ReportText(
            handlers.map { handler in
                let groups =
                    ReportText.Row.group("before the panel is updated", rows(of: handler, .immediate, on: device))
                    + ReportText.Row.group("after it", rows(of: handler, .deferred, on: device))
                    + ReportText.Row.group(
                        "for a message, a button or a file", handler.messages.map { $0.row($0.name, on: device) })
                return [
                    .words("\(handler.name) on \(profile)"),
                    .table(
                        [.left("  instructions, items:")] + StageCount.lengths.map { .right("\($0)") }
                            + [.right("time"), .right("by the manual")], groups),
                    .words("\(Figure.count(handler.stackBytes)) bytes of the stack in use"),
                ]
            })
    }

    private func rows(
        of handler: HandlerCount, _ placement: StagePlacement, on device: DeviceProfile
    ) -> [ReportText.Row] {
        handler.stages.filter { $0.placement == placement }.map { $0.row($0.name, on: device) }
            + handler.around.filter { $0.placement == placement }.map { $0.row("(around the stages)", on: device) }
    }
}

extension ReportText.Row {
    fileprivate static func group(_ title: String, _ rows: [ReportText.Row]) -> [ReportText.Row] {
        rows.isEmpty ? [] : [.heading("\(title):", .plain)] + rows
    }
}

extension StageCount {
    fileprivate static let lengths = [8, 32, 128]

    fileprivate func row(_ name: String, on device: DeviceProfile) -> ReportText.Row {
        let most = StageCount.lengths.map { length in
            worst(items: length).map { Figure.count($0.mostInstructions) } ?? Figure.none
        }
        guard let worst, let hertz = device.processor.clockHertz else {
            return .texts(["  \(name)"] + most + ["", ""])
        }
        func time(_ cycles: Int) -> UInt64 { UInt64((Double(cycles) * 1e6 / Double(hertz)).rounded()) }
        let allowed = time(worst.allowedCycles.lowerBound)...time(worst.allowedCycles.upperBound)
        return .texts(
            ["  \(name)"] + most + [Figure.time(time(worst.mostCycles)), Figure.between(allowed)])
    }
}

extension [CountColumn] {
    var text: ReportText {
        let lists = CountTable.columns.flatMap { [ReportText.Column.right("\($0) items"), .right("")] }
        let units = CountTable.columns.flatMap { _ in ["instr", "cycles"] }
        let rows = (first?.rows ?? []).map { part, _ in
            ReportText.Row.texts(
                [part]
                    + flatMap { column in
                        let count = column.rows.first { $0.part == part }?.count ?? .zero
                        return [Figure.count(count.instructions), Figure.count(count.cycles)]
                    })
        }
        return ReportText([[.table([.left("")] + lists, [.texts([""] + units)] + rows)]])
    }

    func source(day: String, taps: Int) -> String {
        func text(_ parts: [String], _ key: (String) -> String) -> String {
            parts.map { part in
                let counts = flatMap { column in column.rows.filter { $0.part == part }.map(\.count) }
                let numbers = counts.flatMap { ["\($0.instructions)", "\($0.cycles)"] }.joined(separator: ", ")
                return "        \(key(part)): columns(\(numbers)),"
            }.joined(separator: "\n")
        }
        let lists = CountTable.columns.map { "\($0)" }.joined(separator: ", ")
        return """
            // Made by Hardware/build --stages from the image for the lab: do not edit.

            extension CountTable {
                package static let countedOn = "\(day)"

                /// Instructions and cycles on lists of \(lists) items: the means of \(taps) taps on the processor of `memory-lcd`.
                static let measuredParts: [TapPart: [CodeCount]] = [
            \(text(TapPart.allCases.map(\.rawValue)) { ".\($0)" })
                ]

                static let measuredStages: [String: [CodeCount]] = [
            \(text(first?.stages.map(\.part) ?? []) { "\"\($0)\"" })
                ]
            }

            """
    }
}
