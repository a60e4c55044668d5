import DeviceModel
import TapLatency

/// The table as Swift.
struct PartCountSource {
    let columns: [CountColumn]
    /// Taps of each column.
    let taps: Int
    /// The day, such as "2026-11-25".
    let day: String

    var text: String {
        let lists = CountTable.columns.map { "\($0)" }.joined(separator: ", ")
        return """
            // Made by Hardware/build --stages from the image for the lab: do not edit.

            extension CountTable {
                /// When it was counted.
                package static let countedOn = "\(day)"

                /// Counted for lists of \(lists) items: the means of \(taps) taps on the processor of `memory-lcd`.
                static let measured: [CountTable] = [
            \(columns.map(text).joined(separator: "\n"))
                ]
            }
            """
    }

    private func text(_ column: CountColumn) -> String {
        let parts = column.parts.map { "            \($0.part): \(text($0.count))," }
        let stages = column.stages.map { "                \"\($0.part)\": \(text($0.count))," }
        return """
                    CountTable(
            \(parts.joined(separator: "\n"))
                        stages: [
            \(stages.joined(separator: "\n"))
                        ]),
            """
    }

    private func text(_ count: CodeCount) -> String {
        "CodeCount(instructions: \(count.instructions), cycles: \(count.cycles))"
    }
}
