/// Finds amounts, such as `2 l` or `1 1/2 cups`, in a line of text. LINES.md has the grammar.
struct AmountReader {
    enum Kind {
        /// A number with a unit: `2 l`, `2 x 500 g`, `1 (15-ounce) can`.
        case measured
        /// A number with a multiplication sign: `2x`, `x 2`.
        case pieces
        case number
    }

    struct Amount {
        let kind: Kind
        /// The amount as it was typed, but with single spaces. A final full stop is left out, and so are words like `heaped`. For
        /// `.pieces`, only the number.
        let text: String
        /// Words that say how full a spoon or cup is, like `heaped`.
        let notes: [String]
        /// The index of the token after the amount.
        fileprivate let end: Int
    }

    private struct Token {
        enum Kind { case number, word, sign }

        let kind: Kind
        let text: Substring
        /// Whether the token begins the text or follows a space.
        let isApart: Bool
    }

    private let text: String
    private let tokens: [Token]

    // Splits the text into tokens: a number, a word with its full stop or German plural ending, or another character. Matching
    // does not change a regular expression, so threads may share it.
    private nonisolated(unsafe) static let form =
        /([0-9]+(?:[.,\/⁄][0-9]+|[¼-¾⅐-⅞])?|\.[0-9]+|[¼-¾⅐-⅞])|(\p{L}+(?:\.|\([nes]\)|\/[nes](?!\p{L}))?)|\S/

    init(_ text: String) {
        self.text = text
        // Every amount has a digit or a fraction.
        let matches = text.contains(where: \.isNumber) ? text.matches(of: AmountReader.form) : []
        tokens = matches.map { match in
            let isApart = text[..<match.range.lowerBound].last?.isWhitespace ?? true
            let kind = match.1 != nil ? Token.Kind.number : match.2 != nil ? .word : .sign
            return Token(kind: kind, text: match.0, isApart: isApart)
        }
    }

    var whole: Amount? { amount(0).flatMap { $0.end == tokens.count ? $0 : nil } }

    /// The amount at the start of the text, and the rest of the text. Nil if there is no amount, if there is no rest, or if
    /// neither a space nor a comma separates the two.
    var leading: (amount: Amount, rest: String)? {
        guard let amount = amount(0), let next = token(amount.end), next.isApart || next.text == "," else { return nil }
        return (amount, String(text[next.text.startIndex...]))
    }

    /// The amount at the end of the text, and the text before it; nil if there is no amount. A bare number counts only if it
    /// follows a comma and is from 1 to 99.
    var trailing: (amount: Amount, rest: String)? {
        for start in tokens.indices.dropFirst().suffix(12) where tokens[start].isApart {
            guard let amount = amount(start), amount.end == tokens.count else { continue }
            switch amount.kind {
            case .measured: break
            // In `Screws 4 x 40`, the numbers are a size, not an amount.
            case .pieces: if tokens[start - 1].kind == .number { return nil }
            case .number: guard isSign(start - 1, ","), let count = Int(amount.text), 1...99 ~= count else { continue }
            }
            let title = tokens[..<start].indices.last { !isSign($0, ",:-–—") && !isTimes($0) } ?? 0
            return (amount, String(text[..<tokens[title].text.endIndex]))
        }
        return nil
    }

    /// The number and unit of a text such as `2` or `1 1/2 cups`; nil if the text has anything else. The unit may be empty. `gap`
    /// is a space if the text has one between number and unit, and otherwise empty.
    var single: (number: String, gap: String, unit: String)? {
        guard let end = number(0), end == tokens.count || unit(end) == tokens.count else { return nil }
        return (joined(0..<end), token(end)?.isApart == true ? " " : "", joined(end..<tokens.count))
    }

    // MARK: The grammar. Each function matches tokens from an index on, and finds the index of the token after the match.

    /// The amount that begins at token `start`. Nil if no amount begins there, or if the numbers are a size like `4 x 40`.
    private func amount(_ start: Int) -> Amount? {
        func amount(_ kind: Kind, _ kept: Range<Int>, _ end: Int? = nil) -> Amount {
            let fullness = kept.filter { isWord($0, AmountUnit.fullness) }.map { String(tokens[$0].text) }
            return Amount(kind: kind, text: joined(kept), notes: fullness, end: end ?? kept.upperBound)
        }
        if isTimes(start), let end = number(start + 1) { return amount(.pieces, start + 1..<end) }
        if let end = measures(start) { return amount(.measured, start..<end) }
        guard let end = range(start) else { return nil }
        if isTimes(end) {
            if let all = measures(end + 1) { return amount(.measured, start..<all) }
            return number(end + 1) == nil ? amount(.pieces, start..<end, end + 1) : nil
        }
        // The size of each piece: `1 (15-ounce) can`, `1 14-oz. can`.
        let size = parenthesis(end)
        if let all = (size ?? measure(end)).flatMap(unit) ?? size { return amount(.measured, start..<all) }
        return amount(.number, start..<end)
    }

    /// The index of the token after a series of measures; nil if there is none. Examples: `1 cup (240 ml)`, `300g/10½oz`,
    /// `1/2 cup plus 2 tbsp`, `1 lb 4 oz`.
    private func measures(_ start: Int, mayNest: Bool = true) -> Int? {
        guard var end = measure(start) else { return nil }
        while let more = (mayNest ? parenthesis(end) : nil)
            ?? measure(isSign(end, "/+=") || isConnector(end) ? end + 1 : end)
        {
            end = more
        }
        return end
    }

    private func parenthesis(_ start: Int) -> Int? {
        guard isSign(start, "("), let end = measures(start + 1, mayNest: false), isSign(end, ")") else { return nil }
        return end + 1
    }

    /// The index of the token after a number or a range with its unit; nil if there is none. Examples: `2-3 sticks`, `15-ounce`,
    /// `1 heaped tsp`, `1 TL, gestr.`
    private func measure(_ start: Int) -> Int? {
        guard var end = range(start) else { return nil }
        if isSign(end, "-"), !tokens[end].isApart { end += 1 }
        if isWord(end, AmountUnit.fullness) { end += 1 }
        guard let behind = unit(end) else { return nil }
        let comma = isSign(behind, ",") ? behind + 1 : behind
        return isWord(comma, AmountUnit.fullness) ? comma + 1 : behind
    }

    private func unit(_ start: Int) -> Int? {
        [start + 2, start + 1].first { end in
            guard end <= tokens.count, tokens[start..<end].allSatisfy({ $0.kind == .word }) else { return false }
            let name = tokens[start..<end].map { AmountUnit.key(String($0.text)) }.joined(separator: " ")
            return AmountUnit.place(of: name) != nil && (token(end)?.isApart ?? true || isSign(end, "/,;:()+=–"))
        }
    }

    private func range(_ start: Int) -> Int? {
        guard let end = number(start) else { return nil }
        return isConnector(end) ? number(end + 1) ?? end : end
    }

    /// The index of the token after a number: `2`, `1.5`, `1/2`, `½`, `1 1/2`. Nil if there is none.
    private func number(_ start: Int) -> Int? {
        guard let first = token(start), first.kind == .number else { return nil }
        guard let next = token(start + 1), next.kind == .number, first.text.allSatisfy(\.isWholeNumber),
            next.text.contains(where: { !$0.isASCII || $0 == "/" })
        else { return start + 1 }
        return start + 2
    }

    // MARK: Tokens

    private func token(_ place: Int) -> Token? { tokens.indices.contains(place) ? tokens[place] : nil }

    private func isSign(_ place: Int, _ signs: String) -> Bool {
        token(place).map { $0.kind == .sign && signs.contains($0.text) } ?? false
    }

    private func isWord(_ place: Int, _ words: Set<String>) -> Bool {
        token(place).map { $0.kind == .word && words.contains(AmountUnit.key(String($0.text))) } ?? false
    }

    private func isTimes(_ place: Int) -> Bool { token(place).map { ["x", "X", "×"].contains($0.text) } ?? false }

    private func isConnector(_ place: Int) -> Bool {
        isSign(place, "-–") || isWord(place, ["plus", "or", "to", "and", "oder", "bis", "und"])
    }

    /// Joins tokens. Spaces between two tokens become one space. Leaves out commas between tokens, words like `heaped`, and a
    /// final full stop.
    private func joined(_ places: Range<Int>) -> String {
        var text = ""
        for place in places where !isWord(place, AmountUnit.fullness) && !isSign(place, ",") {
            text += (tokens[place].isApart && !text.isEmpty ? " " : "") + tokens[place].text
        }
        return text.last == "." ? String(text.dropLast()) : text
    }
}
