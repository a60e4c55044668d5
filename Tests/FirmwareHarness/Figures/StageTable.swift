import Foundation

/// The table of instructions that the device model charges the processor's time from.
enum StageTable {
    static func run(_ setting: HarnessSetting) throws {
        let columns = try [8, 32, 128, 2_000].map { try StageColumn(TimedTap(setting, items: $0)) }
        guard let path = setting.arguments.first else { return print(text(columns)) }
        let written = StageColumn.columns(in: try String(contentsOfFile: path, encoding: .utf8))
        try require(written.count == columns.count, "\(written.count) tables in \(path)")
        for (table, column) in zip(written, columns) { try compare(table.counts, with: column.counts) }
    }

    /// The rule that two columns are within 5 % of each other, or a timer tick at either end.
    private static func compare(_ written: [String: Int], with measured: [String: Int]) throws {
        try require(
            written.keys.sorted() == measured.keys.sorted(),
            "the table has \(written.keys.sorted()), measured are \(measured.keys.sorted())")
        for (name, value) in measured {
            let allowed = max(0.05 * Double(value), 2 * MachineTime.instructions(ticks: 1))
            let found = written[name] ?? 0
            try require(
                Double(abs(found - value)) <= allowed, "\(name): \(found) in the table, \(value) measured")
        }
    }

    private static func text(_ columns: [StageColumn]) -> String {
        let tables = columns.map { column in
            """
                    InstructionTable(
                        \(column.parts.map { "\($0.name): \($0.count)" }.joined(separator: ", ")),
                        stages: [
            \(column.stages.map { "                \"\($0.name)\": \($0.count)," }.joined(separator: "\n"))
                        ]),
            """
        }
        return """
            // Made by Hardware/build --stages from the firmware's image: do not edit.

            extension InstructionTable {
                /// Counted for lists of 8, 32, 128 and 2,000 items, on the image in QEMU, at one instruction for 16 ns of its time.
                static let measured = [
            \(tables.joined(separator: "\n"))
                ]
            }
            """
    }
}
