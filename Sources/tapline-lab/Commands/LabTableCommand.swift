import ArgumentParser
import CommandSupport
import DeviceModel
import FirmwareWatch
import Foundation
import MachineWatch
import TapLatency

/// `tapline lab table`: what the parts of a tap execute.
struct LabTableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Show what the parts of a tap execute, stage by stage and around the stages.",
        discussion: """
            Executes the shipping handler of the image for the lab (Hardware/build --lab, or the one of --lab-image) on \
            lists of several lengths, and prints the instructions and cycles of each part: the mean of many taps on the \
            processor of memory-lcd. A watch whose machine code is not executed, as the one in the terminal, is charged \
            from this table; step 19 of the lab holds what it predicts against what is executed.

            EXAMPLES
              Hardware/build --lab && tapline lab table
              tapline lab table --source > Simulator/DeviceModel/Profile/CountTable+Measured.swift
            """)

    @ParentCommand var lab: LabCommand

    @Flag(help: "Print the table as the source file from which the device model has it.")
    var source = false

    /// Taps of each column.
    private static let taps = 24

    /// The day in UTC.
    private static var today: String { Date.now.formatted(.iso8601.year().month().day()) }

    func run() throws {
        let path = lab.labImage ?? FirmwareImage.lab.usualPath
        guard FileManager.default.fileExists(atPath: path) else {
            throw HandlerFailure("there is no image at \(path) to execute: Hardware/build --lab makes it")
        }
        let image = try LabImage(file: path, on: .memoryLCD)
        let progress = ProgressLine()
        var columns: [CountColumn] = []
        for items in CountTable.columns {
            progress.show(columns.count, of: CountTable.columns.count, "a list of \(items) items")
            columns.append(try CountColumn(image, items: items, taps: Self.taps))
        }
        progress.end()
        try StandardOutput.write(
            source ? columns.source(day: Self.today, taps: Self.taps) : columns.text.forStandardOutput)
    }
}
