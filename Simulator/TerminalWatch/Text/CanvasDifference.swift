/// Neighbouring cells of one row that are drawn alike: what a terminal is sent in one piece.
struct CellRun: Equatable {
    /// Where it begins.
    var origin: CellPoint
    /// How its cells are drawn.
    var style: TextStyle
    /// Its text.
    var text: String
}

/// What has to be sent to a terminal so that it shows one picture after another.
enum CanvasDifference {
    /// The runs in which `new` differs from `old`, from top to bottom; all of `new` without an old picture or after one
    /// of another size.
    static func runs(from old: TextCanvas?, to new: TextCanvas) -> [CellRun] {
        var runs: [CellRun] = []
        let comparable = old?.size == new.size ? old : nil
        for row in 0..<new.size.rows {
            appendRuns(of: row, from: comparable, to: new, onto: &runs)
        }
        return runs
    }

    private static func appendRuns(
        of row: Int, from old: TextCanvas?, to new: TextCanvas, onto runs: inout [CellRun]
    ) {
        var open: CellRun?
        for column in 0..<new.size.columns {
            let cell = new[column, row]
            guard case .text(let character) = cell.content else { continue }
            guard isChanged(column, row, from: old, to: new) else {
                if let run = open { runs.append(run) }
                open = nil
                continue
            }
            if open?.style == cell.style {
                open?.text.append(character)
            } else {
                if let run = open { runs.append(run) }
                open = CellRun(
                    origin: CellPoint(column: column, row: row), style: cell.style, text: String(character))
            }
        }
        if let run = open { runs.append(run) }
    }

    /// Whether the cell, or the second half of the character in it, differs.
    private static func isChanged(_ column: Int, _ row: Int, from old: TextCanvas?, to new: TextCanvas) -> Bool {
        guard let old else { return true }
        if old[column, row] != new[column, row] { return true }
        let next = column + 1
        guard next < new.size.columns, new[next, row].content == .continuation else { return false }
        return old[next, row] != new[next, row]
    }
}
