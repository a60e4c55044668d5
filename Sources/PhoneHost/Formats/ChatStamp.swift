/// The time and the name that a chat writes in front of a message when it is copied or exported.
///
/// Only what nobody writes on a list is one: a time in brackets, with or without a date, or a date, a time and a dash, and behind it a name
/// and a colon. `Ann: Milk` is none: `Milk: 2 l` has a colon, too.
enum ChatStamp {
    /// The longest stamp without the name, in characters: `[24.11.2026, 12:31:05 p. m.]` has 28.
    private static let longest = 40

    /// The message behind a stamp, empty where the line is nothing but a stamp; nil where it has none.
    static func message(in line: Substring) -> Substring? {
        // WhatsApp on an iPhone writes a mark of direction in front.
        let content = LineMarks.content(of: line.drop { "\u{200E}\u{200F}".contains($0) })
        guard let first = content.first else { return nil }
        if first == "[" {
            let inner = content.dropFirst().prefix(longest)
            guard let end = inner.firstIndex(of: "]"), Moment(inner[..<end]) != nil else { return nil }
            return behindName(content[end...].dropFirst())
        }
        if first.isASCII, first.isNumber {
            let words = content.prefix(longest)
            guard let dash = words.indices.first(where: { isDash(words, at: $0) }) else {
                return Moment(content) == .dateAndTime && content.count <= longest ? content.suffix(0) : nil
            }
            return Moment(words[..<dash]) == .dateAndTime ? behindName(content[dash...].dropFirst()) : nil
        }
        return isHeader(content) ? content.suffix(0) : nil
    }

    /// Whether it is a line that Telegram writes above a message: `Ann, [24.11.2026 12:31]`.
    private static func isHeader(_ content: Substring) -> Bool {
        let content = LineMarks.withoutEnd(content)
        guard content.last == "]", let open = content.suffix(longest).lastIndex(of: "["),
            content[..<open].last(where: { !$0.isWhitespace }) == ",", !LineMarks.hasMark(content)
        else { return false }
        return Moment(content[open...].dropFirst().dropLast()) == .dateAndTime
    }

    private static func isDash(_ text: Substring, at place: Substring.Index) -> Bool {
        (text[place] == "-" || text[place] == "–") && text[..<place].last?.isWhitespace == true
            && text[place...].dropFirst().first?.isWhitespace ?? true
    }

    /// What is behind a name and its colon, or nothing; nil where other words follow.
    private static func behindName(_ rest: Substring) -> Substring? {
        guard rest.first?.isWhitespace ?? true else { return nil }
        let words = rest.drop(while: \.isWhitespace)
        guard !words.isEmpty else { return words }
        var place = words.startIndex
        while let colon = words[place...].firstIndex(of: ":") {
            let message = words[colon...].dropFirst()
            if message.first?.isWhitespace ?? true { return colon > words.startIndex ? message : nil }
            place = message.startIndex
        }
        return nil
    }

    /// A point in time as chats write it: `12:31`, `24.11.26, 12:31`, `12:31:05, 24/11/2026`, `11/24/26, 12:31 PM`.
    private enum Moment {
        case time
        case dateAndTime

        init?(_ text: Substring) {
            var times = 0
            var dates = 0
            var wasTime = false
            for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
                let isHalf = wasTime && Moment.isHalfOfDay(word)
                let isTime = Moment.isTime(word)
                if isTime { times += 1 } else if Moment.isDate(word) { dates += 1 } else if !isHalf { return nil }
                wasTime = isTime || isHalf
            }
            guard times == 1, dates <= 1 else { return nil }
            self = dates == 1 ? .dateAndTime : .time
        }

        /// `AM`, `p.m.`, and the two words of `p. m.`
        private static func isHalfOfDay(_ word: Substring) -> Bool {
            ["am", "pm", "a", "p", "m"].contains(word.lowercased().filter { $0 != "." })
        }

        private static func isTime(_ word: Substring) -> Bool {
            // `12:31PM`
            let half = word.suffix(2).lowercased()
            let time = half == "am" || half == "pm" ? word.dropLast(2) : word
            let parts = time.split(separator: ":", omittingEmptySubsequences: false)
            return (2...3).contains(parts.count) && isNumber(parts[0], 1...2)
                && parts.dropFirst().allSatisfy { isNumber($0, 2...2) }
        }

        private static func isDate(_ word: Substring) -> Bool {
            [".", "/", "-"].contains { (separator: Character) in
                let parts = word.split(separator: separator, omittingEmptySubsequences: false)
                return parts.count == 3 && parts.allSatisfy { isNumber($0, 1...4) }
            }
        }

        private static func isNumber(_ text: Substring, _ length: ClosedRange<Int>) -> Bool {
            length.contains(text.count) && text.allSatisfy { $0.isASCII && $0.isNumber }
        }
    }
}
