struct PageTable: Sendable {
    struct Column: Sendable {
        /// How its cells are set.
        enum Kind: String, Sendable {
            /// From the left.
            case text
            /// From the right, digit under digit.
            case figure
        }

        let title: String
        /// How its cells are set.
        let kind: Kind

        static func text(_ title: String) -> Column { Column(title: title, kind: .text) }

        static func figure(_ title: String) -> Column { Column(title: title, kind: .figure) }
    }

    let caption: String
    /// The class that its appearance is chosen by.
    let style: String
    /// Its columns; the first names the rows.
    let columns: [Column]
    /// The content of its cells, row by row.
    var rows: [[[Markup]]] = []

    var markup: Markup {
        .tag(
            "table", ["class": style],
            [
                .tag("caption", .text(caption)),
                .tag("thead", .element("tr", [], columns.map(head))),
                .element("tbody", [], rows.map { row in .element("tr", [], zip(columns, row).enumerated().map(cell)) }),
            ])
    }

    private func head(_ column: Column) -> Markup {
        .tag("th", ["scope": "col", "class": column.kind.rawValue], [.text(column.title)])
    }

    private func cell(_ index: Int, _ cell: (column: Column, content: [Markup])) -> Markup {
        if index == 0 {
            return .tag("th", ["scope": "row", "class": cell.column.kind.rawValue], cell.content)
        }
        return .tag("td", ["class": cell.column.kind.rawValue, "data-label": cell.column.title], cell.content)
    }
}
