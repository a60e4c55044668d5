package enum ListExport: Equatable, Sendable {
    /// A Markdown checklist under a heading with the list's name, with amounts and notes.
    case markdown
    /// The open items, one per line, with amounts and notes.
    case plain

    /// The text in the list's own order. It ends with a line feed, or is empty for a plain list without open items.
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

    /// The item on a line that an import reads as the same item after a box.
    private static func line(_ item: StoredItem) -> String {
        let draft = ListImport.draft(Substring("- [ ] " + item.text))
        return draft.map { isSame($0, item) } == true ? item.text : EscapedItem.line(item.title, item.detail)
    }

    /// The item in a form that an import does not read as a heading, a bullet or another item.
    private static func escapedForPlain(_ item: StoredItem) -> String {
        let drafts = ListImport(item.text.utf8).drafts
        let isAlone = PastedLine(item.text[...], isNumbered: true).needsBox
        if drafts.count == 1, isSame(drafts[0], item), !isAlone { return item.text }
        let line = line(item)
        return line == item.text ? box(item) + line : line
    }

    private static func isSame(_ draft: ItemDraft, _ item: StoredItem) -> Bool {
        // An import may read a bar as a border between cells.
        draft.title.text == item.title && draft.kind == .open && draft.detail == item.detail && !item.text.contains("|")
    }
}
