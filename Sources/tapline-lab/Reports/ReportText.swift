import CommandSupport
import Foundation
import HostSystem

/// A report of paragraphs and tables, which can be laid out for any width.
struct ReportText {
    enum Block {
        /// A paragraph, wrapped to the width.
        case words(String, Paint = .plain)
        /// A line that is not wrapped.
        case line(String, Paint = .plain)
        case table([Column], [Row])
    }

    enum Column {
        case left(String)
        case right(String)
        /// A column of bars. It takes the width that the other columns leave, from 8 to 40 characters.
        case bars

        fileprivate var title: String {
            switch self {
            case .left(let title), .right(let title): title
            case .bars: ""
            }
        }
    }

    enum Row {
        /// One cell for each column. The notes are wrapped below the cells.
        case cells([Cell], Paint = .plain, notes: [String] = [])
        case heading(String, Paint = .faint)

        static func texts(_ texts: [String], _ paint: Paint = .plain, notes: [String] = []) -> Row {
            .cells(texts.map { Cell($0) }, paint, notes: notes)
        }
    }

    struct Cell {
        var text: String
        var paint = Paint.plain
        /// The bar's value, and the greatest value in the column. The bar of the greatest value fills the column. Nil if the
        /// cell has text.
        var bar: (value: UInt64, longest: UInt64)?

        init(_ text: String, _ paint: Paint = .plain) {
            self.text = text
            self.paint = paint
        }

        init(bar value: UInt64, of longest: UInt64, _ paint: Paint = .plain) {
            self.init("", paint)
            bar = (value, longest)
        }
    }

    /// A colour or weight of text. The raw value is the parameter of the terminal's control sequence Select Graphic Rendition
    /// (ECMA-48 section 8.3.117).
    enum Paint: String {
        case plain = "", faint = "2", bold = "1", good = "32", open = "33", bad = "31", reference = "36"
    }

    enum Ink {
        case plain
        case coloured

        /// Chooses colours for a terminal, unless `TERM` is `dumb` or `NO_COLOR` is set and not empty (no-color.org).
        init(isTerminal: Bool, environment: [String: String]) {
            let isColoured = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
            self = isColoured ? .coloured : .plain
        }

        fileprivate func paint(_ text: String, _ paint: Paint) -> String {
            switch (self, paint) {
            case (.plain, _), (.coloured, .plain): text
            case (.coloured, _): text.isEmpty ? text : "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m"
            }
        }
    }

    /// The sections. The text separates them by empty lines, and leaves out empty sections.
    var sections: [[Block]]

    init(_ sections: [[Block]]) { self.sections = sections }

    /// The text in the terminal's width, with colours if the terminal has them. For a file or a pipe, the text is 100 columns
    /// wide and has no colours.
    var forStandardOutput: String {
        let terminal = TerminalSize.ofStandardOutput
        let ink = Ink(isTerminal: terminal != nil, environment: ProcessInfo.processInfo.environment)
        return lines(width: terminal?.columns ?? 100, ink).joined(separator: "\n") + "\n"
    }

    func lines(width: Int, _ ink: Ink = .plain) -> [String] {
        Array(
            sections.filter { !$0.isEmpty }
                .map { blocks in
                    blocks.flatMap { block in
                        switch block {
                        case .words(let words, let paint): ReportText.wrapped(words, width, ink, paint)
                        case .line(let words, let paint): [ink.paint("\(SanitizedLine(words, limit: .max))", paint)]
                        case .table(let columns, let rows): TableLayout(columns, rows, width, ink).lines
                        }
                    }
                }
                .joined(separator: [""]))
    }

    /// Wraps text to `width` columns. Removes control characters, because the text may contain names from a file.
    fileprivate static func wrapped(
        _ words: String, _ width: Int, _ ink: Ink, _ paint: Paint, indentation: Int = 0
    ) -> [String] {
        let space = String(repeating: " ", count: indentation)
        return "\(SanitizedLine(words, limit: .max))".wrapped(to: width - indentation).map {
            ink.paint(space + $0, paint)
        }
    }
}

private struct TableLayout {
    private let columns: [ReportText.Column]
    private let rows: [ReportText.Row]
    private let width: Int
    private let ink: ReportText.Ink
    private var widths: [Int]

    private static let gap = 2
    private static let leastName = 20
    private static let leastRest = 8

    init(_ columns: [ReportText.Column], _ rows: [ReportText.Row], _ width: Int, _ ink: ReportText.Ink) {
        self.columns = columns
        self.rows = rows
        self.width = width
        self.ink = ink
        let cells = rows.flatMap { row in
            if case .cells(let cells, _, _) = row { [cells] } else { [[ReportText.Cell]]() }
        }
        widths = columns.indices.map { column in
            max(columns[column].title.count, cells.map { $0[column].text.count }.max() ?? 0)
        }
        fit()
    }

    private var excess: Int { widths.reduce(0, +) + TableLayout.gap * (widths.count - 1) - width }

    /// Fits the columns into the width. Bars get the remaining width. If the table is too wide, its left-aligned columns get
    /// narrower, but not below 20 characters. The last column gets narrower first, then the other left-aligned columns from
    /// left to right.
    private mutating func fit() {
        for (index, column) in columns.enumerated() {
            switch column {
            case .bars: widths[index] = min(40, max(TableLayout.leastRest, -excess))
            case .left where index == columns.count - 1:
                widths[index] -= min(max(0, excess), max(0, widths[index] - TableLayout.leastName))
            case .left, .right: break
            }
        }
        for (index, column) in columns.enumerated() {
            guard case .left = column, excess > 0 else { continue }
            widths[index] -= min(excess, max(0, widths[index] - TableLayout.leastName))
        }
    }

    var lines: [String] {
        let titles = columns.map { ReportText.Cell($0.title) }
        let head = columns.allSatisfy { $0.title.isEmpty } ? [] : lines(of: titles, .faint)
        return head
            + rows.flatMap { row in
                switch row {
                case .heading(let words, let paint): ReportText.wrapped(words, width, ink, paint)
                case .cells(let cells, let paint, let notes):
                    lines(of: cells, paint)
                        + notes.flatMap { ReportText.wrapped($0, width, ink, .faint, indentation: 4) }
                }
            }
    }

    private func lines(of cells: [ReportText.Cell], _ paint: ReportText.Paint) -> [String] {
        var line = ""
        var before: [String] = []
        var after: [String] = []
        for (index, cell) in cells.enumerated() {
            let width = widths[index]
            var text = "\(SanitizedLine(cell.text))"
            if index > 0 { line += String(repeating: " ", count: TableLayout.gap) }
            switch columns[index] {
            case .right: text = text.aligned(to: width)
            case .bars: text = BarText.bar(cell.bar?.value ?? 0, of: cell.bar?.longest ?? 0, width: width)
            case .left where index == cells.count - 1:
                let wrapped = text.wrapped(to: width)
                text = wrapped.first.map { $0.padded(to: min(width, $0.count)) } ?? ""
                let indentation = widths.dropLast().reduce(0) { $0 + $1 + TableLayout.gap }
                after = wrapped.dropFirst().map { String(repeating: " ", count: indentation) + $0 }
            case .left where index == 0 && text.count > width:
                // A name that is too long gets a line of its own.
                before = [text.padded(to: min(self.width, text.count))]
                text = "".padded(to: width)
            case .left: text = text.padded(to: width)
            }
            line += ink.paint(text, cell.paint)
        }
        while line.last == " " { line.removeLast() }
        return (before + [line] + after).map { ink.paint($0, paint) }
    }
}
