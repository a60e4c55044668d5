/// A function's name where there is little room: its type and its own name, as in `GlyphReader.next`.
package struct FunctionLabel: Equatable, Sendable {
    package let text: String

    /// With the labels of the parameters, as in `Frame.draw(part:at:)`, where two functions have one name; nil for what has none.
    package let selector: String?
    /// The name in the source, without the mark of the file that a private function is in.
    package let whole: String

    /// Without the type, where there is less room.
    var shortest: String { text.split(separator: ".").last.map(String.init) ?? text }

    /// The label of a function with this name in the source.
    package init(_ name: String) {
        whole = FunctionLabel.withoutFiles(name)
        var text = whole[...]
        if text.hasPrefix("closure #"), let place = text.firstRange(of: " in ") { text = text[place.upperBound...] }
        for word in ["static ", "protocol witness for "] where text.hasPrefix(word) { text.removeFirst(word.count) }
        // An operator is no bracket of parameters; everything else ends where these or the type begin.
        var labels: String?
        if let end = text.firstIndex(of: "("), end > text.startIndex {
            labels = FunctionLabel.labels(of: text[end...].dropFirst())
            text = text[..<end]
        }
        if let type = text.firstRange(of: " : ") { text = text[..<type.lowerBound] }
        for word in [".getter", ".setter", ".modify", ".read"] where text.hasSuffix(word) {
            text.removeLast(word.count)
        }
        // A module is an upper-case word; what C calls "call.6" is none.
        if let point = text.firstIndex(of: "."), text.first?.isUppercase == true, !text[..<point].contains("<") {
            text = text[text.index(after: point)...]
        }
        while text.last == " " { text.removeLast() }
        let label = text.isEmpty ? name : String(text)
        self.text = label
        selector = labels.map { "\(label)(\($0))" }
    }

    /// The labels of a list of parameters, up to the bracket that closes it.
    private static func labels(of parameters: Substring) -> String {
        var depth = 0
        var present = ""
        var all: [String] = []
        for character in parameters {
            if depth == 0, character == ")" { break }
            switch character {
            case "(", "<", "[": depth += 1
            // An arrow closes nothing.
            case ">" where present.last == "-": break
            case ")", ">", "]": depth -= 1
            case "," where depth == 0:
                all.append(present)
                present = ""
                continue
            default: break
            }
            present.append(character)
        }
        if !present.isEmpty { all.append(present) }
        return all.map { parameter in
            guard let colon = parameter.firstRange(of: ": ") else { return "_:" }
            return String(parameter[..<colon.lowerBound].drop { $0 == " " }) + ":"
        }.joined()
    }

    /// Private names without the mark of their file: `(head in _CB6C)` is `head`.
    private static func withoutFiles(_ name: String) -> String {
        var text = name
        while let mark = text.firstRange(of: " in _"), let start = text[..<mark.lowerBound].lastIndex(of: "("),
            let end = text[mark.upperBound...].firstIndex(of: ")")
        {
            text.replaceSubrange(start...end, with: text[text.index(after: start)..<mark.lowerBound])
        }
        return text
    }
}
