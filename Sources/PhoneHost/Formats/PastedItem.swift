/// The title, amount and note of one pasted line. LINES.md has the grammar.
struct PastedItem: Equatable {
    enum Place {
        case list
        /// The line is an ingredient of a recipe. A number before the title is the amount. If the line has an amount, the text
        /// after a comma becomes a note.
        case ingredients
    }

    let title: CleanTitle
    let detail: ItemDetail
    let kind: ItemDraft.Kind

    /// - Parameter line: the line without its bullet and box.
    init(_ line: String, in place: Place = .list) throws(PhoneError) {
        if let escaped = EscapedItem(line) {
            (title, detail, kind) = (escaped.title, escaped.detail, .open)
            return
        }
        let whole = try CleanTitle(line)
        var text = whole.text
        let isStruck = text.count > 4 && text.hasPrefix("~~") && text.hasSuffix("~~")
        kind = isStruck ? .checked : .open
        if isStruck { text = String(text.dropFirst(2).dropLast(2)) }
        text = MarkdownText.plain(text)
        while let last = text.last, ",; ".contains(last) { text.removeLast() }
        let parts = Parts(text, in: place)
        let title = try? CleanTitle(parts.title)
        self.title = title ?? whole
        detail = title == nil ? .none : ItemDetail(amount: parts.amount, note: parts.notes.joined(separator: "; "))
    }
}

private struct Parts {
    var title: String
    var amount: String?
    var notes: [String] = []

    init(_ text: String, in place: PastedItem.Place) {
        let cells = " \(text)".split(separator: " |").map { Parts.trimmed($0[...]) }.filter { !$0.isEmpty }
        self =
            cells.count > 1
            ? Parts(cells: cells, in: place) : Parts(line: text.contains("|") ? cells.first ?? text : text, in: place)
    }

    /// Moves a note in parentheses from the end of the title to `notes`.
    private init(title: String, _ amount: AmountReader.Amount? = nil, notes: [String] = []) {
        (self.title, self.amount, self.notes) = (title, amount?.text, (amount?.notes ?? []) + notes)
        guard title.last == ")", let open = title.lastIndex(of: "("), open > title.startIndex else { return }
        let rest = title[..<open]
        guard rest.last == " ", !rest.contains("("), title.count(where: { $0 == ")" }) == 1 else { return }
        self.title = String(rest.dropLast())
        self.notes.append(String(title[title.index(after: open)...].dropLast()))
    }

    private init(line text: String, in place: PastedItem.Place) {
        self = Parts(leading: text, in: place) ?? Parts(trailing: text)
        switch place {
        case .list: break
        case .ingredients:
            // Without an amount, text after a comma is no note: `Bread, milk, eggs` are three things.
            guard amount != nil, let comma = title.firstRange(of: ", ") else { break }
            notes.insert(String(title[comma.upperBound...]), at: 0)
            title = String(title[..<comma.lowerBound])
        }
    }

    private init?(leading text: String, in place: PastedItem.Place) {
        guard case (let amount, var rest)? = AmountReader(text).leading, let next = rest.first,
            !",;:.-–—/+)=%°&×".contains(next), amount.kind == .measured || !next.isNumber
        else { return nil }
        var notes: [String] = []
        // A note before the title: `2 cans (drained) beans`.
        if next == "(", let end = rest.firstIndex(of: ")") {
            notes.append(String(rest[..<end].dropFirst()))
            rest = Parts.trimmed(rest[end...].dropFirst())
        }
        self = Parts(title: rest, amount, notes: notes)
        switch amount.kind {
        case .measured:
            let of = ["of ", "de ", "d'", "d’"].first { title.hasPrefix($0) && title.count > $0.count }
            title = String(title.dropFirst(of?.count ?? 0))
        case .pieces: break
        case .number: if !Parts.isCounted(title, in: place) { return nil }
        }
        if title.isEmpty { return nil }
    }

    private init(trailing text: String) {
        self = Parts(title: text)
        if let (amount, rest) = AmountReader(text).trailing {
            self = Parts(title: rest, amount)
        } else if let note = notes.first, let amount = AmountReader(note).whole, amount.kind != .number {
            // The text in parentheses is the amount: `Milk (2 l)`.
            self.amount = amount.text
            notes = amount.notes
        } else if let note = notes.first, let (amount, rest) = AmountReader(title).trailing {
            self = Parts(title: rest, amount, notes: [note])
        }
    }

    /// Reads a table row. A cell that is only an amount becomes the amount. Of the other cells, the first becomes the title, and
    /// the rest become notes.
    private init(cells: [String], in place: PastedItem.Place) {
        var cells = cells
        var amounts = cells.map { AmountReader($0).whole }
        // If another cell is an amount, a bare number in the first of three or more cells is the number of the row.
        if cells.count > 2, amounts[0]?.kind == .number, amounts.count(where: { $0 != nil }) > 1 {
            cells.removeFirst()
            amounts.removeFirst()
        }
        let all = amounts.indices.filter { amounts[$0] != nil }
        let measured = all.filter { amounts[$0].map { $0.kind != .number } ?? false }
        if let found = measured.count == 1 ? measured.first : all.count == 1 ? all.first : nil {
            cells.remove(at: found)
            self = Parts(title: cells[0], amounts[found])
            notes += cells.dropFirst().map(Parts.note)
            return
        }
        self = all.isEmpty ? Parts(line: cells[0], in: place) : Parts(title: cells.joined(separator: " | "))
        for cell in all.isEmpty ? cells.dropFirst() : [] {
            let reader = AmountReader(cell)
            guard amount == nil, let (found, rest) = reader.leading ?? reader.trailing, found.kind == .measured else {
                notes.append(Parts.note(cell))
                continue
            }
            amount = found.text
            notes += found.notes + [Parts.note(Parts.trimmed(rest[...]))]
        }
    }

    /// Whether a number before the title is an amount. The title must begin with a letter, and not with one of
    /// `AmountUnit.sizes`. On a list, the title must also be one lowercase word that ends in `s`, as in `7 eggs`.
    private static func isCounted(_ title: String, in place: PastedItem.Place) -> Bool {
        let first = title.prefix { !$0.isWhitespace }
        guard title.first?.isLetter == true, !AmountUnit.sizes.contains(first.lowercased()) else { return false }
        switch place {
        case .ingredients: return true
        case .list: return first.count == title.count && title.hasSuffix("s") && title.allSatisfy(\.isLowercase)
        }
    }

    private static func note(_ cell: String) -> String {
        cell.first == "(" && cell.last == ")" ? String(cell.dropFirst().dropLast()) : cell
    }

    /// Removes spaces at both ends, and commas at the start.
    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0.isWhitespace || $0 == "," }.reversed().drop(while: \.isWhitespace).reversed())
    }
}
