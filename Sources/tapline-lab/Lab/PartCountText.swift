import CommandSupport
import DeviceModel
import TapLatency

/// The table for a terminal: a row for each part, two columns for each length of the list.
struct PartCountText {
    let columns: [CountColumn]

    var text: String {
        guard let first = columns.first else { return "" }
        let head = CountTable.columns.map { "\($0) items".aligned(to: 18) }.joined()
        let units = CountTable.columns.map { _ in "instr".aligned(to: 9) + "cycles".aligned(to: 9) }.joined()
        let rows = first.rows.map { part, _ in
            part.padded(to: 22)
                + columns.map { column in
                    let count = column.rows.first { $0.part == part }?.count ?? .zero
                    return FigureText(count: count.instructions).plain.aligned(to: 9)
                        + FigureText(count: count.cycles).plain.aligned(to: 9)
                }.joined()
        }
        return (["".padded(to: 22) + head, "".padded(to: 22) + units] + rows).joined(separator: "\n")
    }
}
