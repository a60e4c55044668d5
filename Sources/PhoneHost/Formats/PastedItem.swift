/// An item as people paste it: its title, amount and note, taken from one line of text by the rules that the page of Sources lists.
struct PastedItem: Equatable {
    /// Where the line stands.
    enum Place {
        /// On a list of things to get.
        case list
        /// Among the ingredients of a recipe, where what is behind a comma says how they are prepared.
        case ingredients
    }

    let title: CleanTitle
    let detail: ItemDetail
    let kind: ItemDraft.Kind

    /// - Parameter line: without bullet and box.
    /// - Throws: `.emptyTitle` where nothing is left of it.
    init(_ line: Substring, in place: Place = .list) throws(PhoneError) {
        if let escaped = EscapedItem(line) {
            (title, detail, kind) = (escaped.title, escaped.detail, .open)
            return
        }
        let (marked, kind) = PastedItem.withoutStrike(try CleanTitle(String(line)).text)
        let plain = MarkdownText.plain(marked)
        self.kind = kind
        guard let whole = try? CleanTitle(PastedItem.withoutEnd(plain)) else {
            (title, detail) = (try CleanTitle(String(line)), .none)
            return
        }
        let taken = PastedItem.parts(of: whole.text, in: place)
        guard let title = try? CleanTitle(taken.title) else {
            (self.title, detail) = (whole, .none)
            return
        }
        (self.title, detail) = (title, ItemDetail(amount: taken.amount, note: taken.note))
    }

    /// What is struck through is checked off.
    private static func withoutStrike(_ text: String) -> (String, ItemDraft.Kind) {
        guard text.count > 4, text.hasPrefix("~~"), text.hasSuffix("~~") else { return (text, .open) }
        return (String(text.dropFirst(2).dropLast(2)), .checked)
    }

    /// Without the comma or semicolon that ends a line of a sentence.
    private static func withoutEnd(_ text: String) -> String {
        String(text.reversed().drop { $0 == "," || $0 == ";" || $0 == " " }.reversed())
    }

    private static func parts(of text: String, in place: Place) -> (title: String, amount: String?, note: String?) {
        var (rest, note) = withoutNote(text)
        var amount: String?
        // `Milk (2 l)`
        if let words = note?.split(separator: " "), let quantity = Quantity.whole(words[...]), quantity.kind != .number
        {
            (amount, note) = (quantity.text, nil)
        }
        if amount == nil, let split = AmountSplit(rest, in: place) { (rest, amount) = (split.rest, split.amount) }
        switch place {
        case .list: break
        case .ingredients:
            // `Bread, milk, eggs` are three.
            if amount != nil, let comma = rest.firstIndex(of: ","), comma > rest.startIndex {
                let preparation = rest[rest.index(after: comma)...].drop { $0 == " " }
                note = ([preparation].map(String.init) + [note].compactMap(\.self)).filter { !$0.isEmpty }
                    .joined(separator: "; ")
                rest = String(rest[..<comma])
            }
        }
        return (rest, amount, note)
    }

    /// Takes the parenthesis at the end off.
    private static func withoutNote(_ text: String) -> (rest: String, note: String?) {
        guard text.last == ")", let open = text.lastIndex(of: "("), open > text.startIndex else { return (text, nil) }
        let rest = text[..<open]
        guard rest.last == " ", !rest.contains("("), text.count(where: { $0 == ")" }) == 1 else { return (text, nil) }
        return (String(rest.dropLast()), String(text[text.index(after: open)...].dropLast()))
    }
}
