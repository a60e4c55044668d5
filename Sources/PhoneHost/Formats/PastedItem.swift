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
        if let words = note?.split(separator: " "), let quantity = Quantity.whole(words[...]) {
            (amount, note) = (quantity.text, nil)
        }
        if amount == nil { (rest, amount) = withoutAmount(rest, in: place) }
        switch place {
        case .list: break
        case .ingredients:
            if let comma = rest.firstIndex(of: ","), comma > rest.startIndex {
                let preparation = rest[rest.index(after: comma)...].drop { $0 == " " }
                note = ([preparation].map(String.init) + [note].compactMap(\.self)).filter { !$0.isEmpty }
                    .joined(separator: "; ")
                rest = String(rest[..<comma])
            }
        }
        let title = Shouting.calmed(rest)
        guard title != rest else { return (rest, amount, note) }
        return (title, amount.map(Shouting.lowered), note.map(Shouting.lowered))
    }

    /// Takes the parenthesis at the end off.
    private static func withoutNote(_ text: String) -> (rest: String, note: String?) {
        guard text.last == ")", let open = text.lastIndex(of: "("), open > text.startIndex else { return (text, nil) }
        let rest = text[..<open]
        guard rest.last == " ", !rest.contains("("), text.count(where: { $0 == ")" }) == 1 else { return (text, nil) }
        return (String(rest.dropLast()), String(text[text.index(after: open)...].dropLast()))
    }

    /// Takes the amount off, from the end or from the beginning.
    private static func withoutAmount(_ text: String, in place: Place) -> (rest: String, amount: String?) {
        if let comma = text.lastIndex(of: ","), comma > text.startIndex {
            let words = text[text.index(after: comma)...].split(separator: " ")
            if text[text.index(after: comma)...].first == " ", let quantity = Quantity.whole(words[...]) {
                return (String(text[..<comma]), quantity.text)
            }
        }
        let words = text.split(separator: " ")
        return leading(words, in: place) ?? trailing(words) ?? (text, nil)
    }

    private static func leading(_ words: [Substring], in place: Place) -> (rest: String, amount: String?)? {
        guard let quantity = Quantity(beginning: words[...]), quantity.length < words.count else { return nil }
        var rest = words.dropFirst(quantity.length)
        switch quantity.kind {
        case .measured: if rest.first == "of", rest.count > 1 { rest = rest.dropFirst() }
        case .pieces: break
        // `7 Up` is a name, `9 volt battery` says which one.
        case .number:
            guard quantity.text.count <= 5, let next = rest.first, !notOfCounts.contains(next.lowercased()),
                place == .ingredients || next.first?.isLowercase == true || Shouting.calmed(String(next)) != next
            else { return nil }
        }
        return (rest.joined(separator: " "), quantity.text)
    }

    private static func trailing(_ words: [Substring]) -> (rest: String, amount: String?)? {
        for start in max(1, words.count - 5)..<max(1, words.count) {
            guard let quantity = Quantity.whole(words[start...]), quantity.kind != .number else { continue }
            // `Screws 4 x 40` are of that size.
            if quantity.kind == .pieces, Quantity.isNumber(words[start - 1]) { return nil }
            return (words[..<start].joined(separator: " "), quantity.text)
        }
        return nil
    }

    /// Words behind a number that says of what kind something is.
    static let notOfCounts: Set<String> = [
        "in", "inch", "inches", "cm", "mm", "m", "ply", "volt", "volts", "watt", "watts", "day", "days", "year",
        "years", "percent",
    ]
}
