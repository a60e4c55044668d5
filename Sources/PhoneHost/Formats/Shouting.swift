/// A line in capitals, and what is made of it.
enum Shouting {
    /// How the titles of a text are written.
    enum Voice {
        /// More of them are in capitals than have small letters.
        case loud
        /// The others.
        case calm

        init(of titles: [String]) {
            let calm = titles.count { $0.contains(where: \.isLowercase) }
            let loud = titles.count { $0.contains(where: \.isUppercase) && !$0.contains(where: \.isLowercase) }
            self = loud > calm ? .loud : .calm
        }
    }

    /// The text in small letters where all of it is in capitals and a word has four of them or more: `ORANGE JUICE` is `Orange
    /// juice`. Words with digits, and of up to three letters, stay as they are: `UHT MILK` is `UHT milk`.
    static func calmed(_ text: String) -> String {
        // Other alphabets have rules of their own: a dotted I, a sigma at the end.
        guard text.allSatisfy({ !$0.isLetter || isLatin($0) }), !text.contains(where: \.isLowercase),
            words(text).contains(where: { isShouted($0) && $0.count >= 4 })
        else {
            return text
        }
        var isFirst = true
        return words(text).map { word in
            defer { if word.contains(where: \.isLetter) { isFirst = false } }
            guard isShouted(word), word.count(where: \.isLetter) >= 4 || !isFirst && shortWords.contains(word) else {
                return String(word)
            }
            let small = word.lowercased()
            return isFirst ? small.prefix(1).uppercased() + small.dropFirst() : small
        }.joined(separator: " ")
    }

    /// What belongs to a title in capitals in small letters, where it has no others.
    static func lowered(_ text: String) -> String { text.contains(where: \.isLowercase) ? text : text.lowercased() }

    /// Short words that are no abbreviations.
    private static let shortWords: Set<Substring> = [
        "A", "AND", "AT", "FOR", "IN", "OF", "ON", "OR", "THE", "TO", "UND", "DE", "LA", "ET",
    ]

    private static func isLatin(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy { $0.value < 0x100 && $0 != "ß" }
    }

    private static func words(_ text: String) -> [Substring] { text.split(separator: " ") }

    private static func isShouted(_ word: Substring) -> Bool {
        word.contains(where: \.isUppercase) && !word.contains(where: \.isNumber)
    }
}
