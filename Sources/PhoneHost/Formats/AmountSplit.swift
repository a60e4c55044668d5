/// A line taken apart into what is wanted and how much of it. Where it is not clear what belongs to the amount the line stays whole: a
/// title must not be torn.
struct AmountSplit: Equatable {
    let rest: String
    let amount: String

    /// - Returns: nil where the line has no amount.
    init?(_ text: String, in place: PastedItem.Place) {
        if let comma = text.lastIndex(of: ","), text[text.index(after: comma)...].first == " ",
            let quantity = Quantity.whole(AmountSplit.words(text[text.index(after: comma)...])[...]),
            quantity.kind != .number || AmountSplit.isCount(quantity.text)
        {
            self.init(String(text[..<comma]), quantity.text)
            return
        }
        let words = AmountSplit.words(text[...])
        guard let split = AmountSplit.leading(words, in: place) ?? AmountSplit.trailing(words) else { return nil }
        self = split
    }

    private init?(_ rest: String, _ amount: String) {
        // What follows an amount is a word: anything else would be the other half of it.
        guard let first = rest.first, first.isLetter || first == "\"" || first == "'" else { return nil }
        self.rest = rest
        self.amount = amount
    }

    /// The words, with a slash between a unit and a number as one of its own: `1 cup/240 ml`.
    private static func words(_ text: Substring) -> [Substring] {
        text.split(whereSeparator: \.isWhitespace).flatMap { word -> [Substring] in
            guard let slash = word.firstIndex(of: "/"), Quantity.isUnit(word[..<slash]) else { return [word] }
            return [word[..<slash], word[slash...slash], word[word.index(after: slash)...]].filter { !$0.isEmpty }
        }
    }

    private static func leading(_ words: [Substring], in place: PastedItem.Place) -> AmountSplit? {
        guard let quantity = Quantity(beginning: words[...]) else { return nil }
        var kind = quantity.kind
        var amount = quantity.text
        var rest = words.dropFirst(quantity.length)
        while let more = secondMeasure(rest, kind) {
            amount += " " + more.text
            kind = more.kind
            rest = rest.dropFirst(more.length)
        }
        switch kind {
        case .measured: rest = withoutOf(rest)
        case .pieces: break
        case .number:
            guard isCountOf(rest, in: place) else { return nil }
        }
        return AmountSplit(rest.joined(separator: " "), amount)
    }

    /// The other measure of the same amount: `(190 g)`, `/ 14 oz`, `plus 2 tbsp`, `to 6`, and `(14.5 ounce) can`.
    private static func secondMeasure(_ words: ArraySlice<Substring>, _ kind: Quantity.Kind) -> Quantity? {
        guard let first = words.first else { return nil }
        if first.hasPrefix("("), let end = words.firstIndex(where: { $0.hasSuffix(")") }) {
            let inner = words[words.startIndex...end].joined(separator: " ").dropFirst().dropLast()
            guard let quantity = Quantity.whole(inner.split(separator: " ")[...]), quantity.kind == .measured else {
                return nil
            }
            let length = end - words.startIndex + 1
            let unit = words.dropFirst(length).first.flatMap { kind == .number && Quantity.isUnit($0) ? " \($0)" : nil }
            return Quantity(.measured, length: length + (unit == nil ? 0 : 1), "(\(quantity.text))" + (unit ?? ""))
        }
        guard connectors.contains(first.lowercased()), let quantity = Quantity(beginning: words.dropFirst()) else {
            return nil
        }
        switch (kind, quantity.kind) {
        case (.measured, .measured), (.number, .measured), (.number, .number):
            return Quantity(quantity.kind, length: quantity.length + 1, "\(first) \(quantity.text)")
        case (.pieces, _), (_, .pieces), (.measured, .number): return nil
        }
    }

    private static let connectors: Set<String> = ["/", "+", "plus", "or", "to", "-", "–"]

    private static func withoutOf(_ words: ArraySlice<Substring>) -> ArraySlice<Substring> {
        guard let first = words.first else { return words }
        if words.count > 1, first == "of" || first == "de" { return words.dropFirst() }
        for article in ["d'", "d’"] where first.hasPrefix(article) && first.count > 2 {
            return [first.dropFirst(2)] + words.dropFirst()
        }
        return words
    }

    /// Whether a number alone in front of these words counts them. On a list it does so for one word in the plural: `7 eggs`, and not
    /// `4 seasons pizza`; among ingredients it does.
    private static func isCountOf(_ words: ArraySlice<Substring>, in place: PastedItem.Place) -> Bool {
        guard let next = words.first, !notOfCounts.contains(next.lowercased()) else { return false }
        switch place {
        case .ingredients: return true
        case .list: return words.count == 1 && next.hasSuffix("s") && next.allSatisfy(\.isLowercase)
        }
    }

    private static func isCount(_ text: String) -> Bool { Int(text).map { (1...99).contains($0) } ?? false }

    private static func trailing(_ words: [Substring]) -> AmountSplit? {
        guard words.count > 1 else { return nil }
        for start in max(1, words.count - 5)..<words.count {
            guard let quantity = Quantity.whole(words[start...]), quantity.kind != .number else { continue }
            // `Screws 4 x 40` are of that size.
            if quantity.kind == .pieces, Quantity.isNumber(words[start - 1]) { return nil }
            var rest = words[..<start]
            while let last = rest.last, separators.contains(last) || last == "x" { rest.removeLast() }
            if let last = rest.last, last.hasSuffix(":") { rest = rest.dropLast() + [last.dropLast()] }
            return AmountSplit(rest.joined(separator: " "), quantity.text)
        }
        return nil
    }

    private static let separators: Set<Substring> = ["-", "–", "—", ":"]

    /// Words behind a number that says of what kind something is.
    private static let notOfCounts: Set<String> = [
        "in", "inch", "inches", "cm", "mm", "m", "ply", "volt", "volts", "watt", "watts", "day", "days", "hour",
        "hours", "year", "years", "percent", "seasons", "plus", "x", "%",
    ]
}
