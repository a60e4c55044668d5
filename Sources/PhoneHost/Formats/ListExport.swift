package enum ListExport: Equatable, Sendable {
    /// A Markdown checklist of all items, with amounts and notes. The heading is the list's name.
    case markdown
    /// The open items, one per line, with amounts and notes.
    case plain

    /// Writes the items in the list's order. Each line ends with a line feed. A plain list without open items gives an empty
    /// text.
    package func text(of list: ListContents) -> String {
        switch self {
        case .markdown:
            let items = list.items.map { ListExport.box($0) + ListExport.line($0) + "\n" }
            return "# \(list.name)\n" + (items.isEmpty ? "" : "\n") + items.joined()
        case .plain:
            return list.open.map { ListExport.escapedForPlain($0) + "\n" }.joined()
        }
    }

    private static func box(_ item: StoredItem) -> String { "- [\(item.state.isOpen ? " " : "x")] " }

    /// The text that follows the item's box. It has the form of `EscapedItem` if an import would otherwise read a different item.
    private static func line(_ item: StoredItem) -> String {
        let draft = ListImport.draft(Substring("- [ ] " + item.text))
        return draft.map { isSame($0, item) } == true ? item.text : EscapedItem.line(item.title, item.detail)
    }

    /// The item's line in a plain list. If an import would misread the text alone, as a heading for example, the line gets a box
    /// or the form of `EscapedItem`.
    private static func escapedForPlain(_ item: StoredItem) -> String {
        let drafts = ListImport(item.text.utf8).drafts
        let isAlone = PastedLine(item.text[...], isNumbered: true).needsBox
        if drafts.count == 1, isSame(drafts[0], item), !isAlone { return item.text }
        let line = line(item)
        return line == item.text ? box(item) + line : line
    }

    private static func isSame(_ draft: ItemDraft, _ item: StoredItem) -> Bool {
        // An import may read a bar as the border between two cells of a table.
        draft.title.text == item.title && draft.kind == .open && draft.detail == item.detail && !item.text.contains("|")
    }
}
