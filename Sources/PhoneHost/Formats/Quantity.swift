/// How much of something, as people write it: a number, with a unit or a multiplication sign.
struct Quantity: Equatable {
    /// What kind of quantity it is.
    enum Kind: Equatable {
        /// It has a unit: `2 l`, `500g`, `2 x 500 g`.
        case measured
        /// It is a number of pieces with a sign: `2 x`, `x2`.
        case pieces
        /// It is a number alone.
        case number
    }

    let kind: Kind
    /// The words that it takes.
    let length: Int
    /// It, as it is kept: the words with single spaces, the number alone for pieces.
    let text: String

    /// The quantity with which some words begin; nil where they do not, or are the size of something: `4 x 40`.
    init?(beginning words: ArraySlice<Substring>) {
        guard let first = words.first else { return nil }
        if Quantity.isSign(first), let number = words.dropFirst().first, Quantity.isNumber(number) {
            self.init(.pieces, length: 2, String(number))
        } else if let number = Quantity.withoutSign(first) {
            self.init(.pieces, length: 1, String(number))
        } else if Quantity.isNumberWithUnit(first) {
            self.init(.measured, length: 1, String(first))
        } else if Quantity.isNumber(first) {
            self.init(number: words)
        } else {
            return nil
        }
    }

    init(_ kind: Kind, length: Int, _ text: String) {
        self.kind = kind
        self.length = length
        self.text = text
    }

    /// A quantity whose first word is a number.
    private init?(number words: ArraySlice<Substring>) {
        let second = words.dropFirst().first
        // `1 1/2`, `1 ½`
        let length = second.map(Quantity.isFractionOfOne) == true ? 2 : 1
        let number = words.prefix(length).joined(separator: " ")
        let rest = words.dropFirst(length)
        guard let next = rest.first else {
            self.init(.number, length: length, number)
            return
        }
        if Quantity.withoutStop(next).lowercased() == "fl", let ounces = rest.dropFirst().first, Quantity.isUnit(ounces)
        {
            self.init(.measured, length: length + 2, "\(number) fl \(Quantity.withoutStop(ounces))")
        } else if Quantity.isUnit(next) {
            self.init(.measured, length: length + 1, "\(number) \(Quantity.withoutStop(next))")
        } else if Quantity.isSign(next) {
            let behind = Quantity(beginning: rest.dropFirst())
            switch behind?.kind {
            case .measured:
                self.init(.measured, length: length + 1 + (behind?.length ?? 0), "\(number) x \(behind?.text ?? "")")
            case .pieces, .number: return nil
            case nil: self.init(.pieces, length: length + 1, number)
            }
        } else {
            self.init(.number, length: length, number)
        }
    }

    /// The quantity that the words are, with nothing else; several with a plus between them are one.
    static func whole(_ words: ArraySlice<Substring>) -> Quantity? {
        let parts = words.split(separator: "+", omittingEmptySubsequences: false).map { part -> Quantity? in
            Quantity(beginning: part).flatMap { $0.length == part.count ? $0 : nil }
        }
        let quantities = parts.compactMap(\.self)
        guard let first = quantities.first, quantities.count == parts.count else { return nil }
        guard quantities.count > 1 else { return first }
        return Quantity(.measured, length: words.count, quantities.map(\.text).joined(separator: " + "))
    }

    /// The units, in lower case, without a full stop. The page of Sources lists them.
    static let units: Set<String> = [
        "g", "kg", "mg", "l", "dl", "cl", "ml", "litre", "litres", "liter", "liters", "gram", "grams",
        "oz", "lb", "lbs", "pound", "pounds", "ounce", "ounces", "pint", "pints", "quart", "quarts", "gallon",
        "gallons",
        "cup", "cups", "tbsp", "tablespoon", "tablespoons", "tsp", "teaspoon", "teaspoons", "pinch", "pinches",
        "pack", "packs", "packet", "packets", "pkg", "can", "cans", "tin", "tins", "jar", "jars", "bottle", "bottles",
        "box", "boxes", "bag", "bags", "bunch", "bunches", "clove", "cloves", "slice", "slices", "piece", "pieces",
        "pcs",
        "stick", "sticks", "head", "heads", "loaf", "loaves", "dozen", "sprig", "sprigs", "package", "packages", "kilo",
        "kilos",
        "gal", "qt", "pt", "el", "tl", "prise", "prisen", "bund", "pck", "päckchen", "stück", "flasche", "flaschen",
        "dose",
        "dosen", "becher", "glas", "gläser",
    ]

    /// Whether a word is a unit. `G` is none: `5G` is a network.
    static func isUnit(_ word: Substring) -> Bool { word != "G" && units.contains(withoutStop(word).lowercased()) }

    private static func withoutStop(_ word: Substring) -> Substring { word.last == "." ? word.dropLast() : word }

    private static func isSign(_ word: Substring) -> Bool { word == "x" || word == "X" || word == "×" }

    /// The number of a word such as `2x` or `x2`.
    private static func withoutSign(_ word: Substring) -> Substring? {
        for number in [word.dropFirst(), word.dropLast()]
        where word.count - number.count == 1 && isNumber(number)
            && isSign(number.startIndex == word.startIndex ? word.suffix(1) : word.prefix(1))
        {
            return number
        }
        return nil
    }

    /// `500g`, and `6x330ml`.
    private static func isNumberWithUnit(_ word: Substring) -> Bool {
        if let sign = word.firstIndex(where: { isSign(String($0)[...]) }), isNumber(word[..<sign]) {
            return isNumberWithUnit(word[word.index(after: sign)...])
        }
        let number = word.prefix { isOfNumber($0) }
        return isNumber(number) && number.count < word.count && isUnit(word.dropFirst(number.count))
    }

    private static func isOfNumber(_ character: Character) -> Bool {
        isDigit(character) || isFraction(character) || "./⁄,-–".contains(character)
    }

    private static func isFractionOfOne(_ word: Substring) -> Bool {
        word.count == 1 && isFraction(word[word.startIndex])
            || word.contains { $0 == "/" || $0 == "⁄" } && isNumber(word)
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    private static func isFraction(_ character: Character) -> Bool { "½⅓⅔¼¾⅛⅜⅝⅞".contains(character) }

    /// Whether a word is a number: `2`, `1.5`, `1,5`, `1/2`, `½`, `1½`, or two of them with a dash between.
    static func isNumber(_ word: Substring) -> Bool {
        let parts = word.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }
        return (1...2).contains(parts.count) && parts.allSatisfy { isPlainNumber($0) }
    }

    private static func isPlainNumber(_ word: Substring) -> Bool {
        let whole = word.last.map(isFraction) == true ? word.dropLast() : word
        if whole.isEmpty { return !word.isEmpty }
        guard whole.count == word.count else { return whole.allSatisfy(isDigit) }
        let parts = word.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," || $0 == "/" || $0 == "⁄" }
        return (1...2).contains(parts.count)
            && parts.allSatisfy { !$0.isEmpty && $0.count <= 6 && $0.allSatisfy(isDigit) }
    }
}
