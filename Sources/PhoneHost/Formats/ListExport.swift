/// Writes a list as text that `ListImport` reads back.
package enum ListExport: Equatable, Sendable {
    /// A Markdown check-list under a heading with the list's name.
    case markdown
    /// The titles of the open items, one on each line.
    case plain

    /// The list as text that ends in a line feed, in the list's own order; empty for a plain list without open items.
    package func text(of list: ListContents) -> String {
        switch self {
        case .markdown:
            let items = list.items.map { "- [\($0.state.isOpen ? " " : "x")] \($0.title)\n" }
            return "# \(list.name)\n" + (items.isEmpty ? "" : "\n") + items.joined()
        case .plain:
            return list.open.map { "\(ListExport.escapedForPlain($0.title))\n" }.joined()
        }
    }

    /// The title in a form that an import does not take for a heading or a bullet.
    private static func escapedForPlain(_ title: String) -> String {
        let draft = ListImport.draft(Substring(title))
        return draft?.title.text == title && draft?.kind == .open ? title : "- [ ] \(title)"
    }
}
