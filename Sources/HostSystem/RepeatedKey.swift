import Foundation

/// Finds a key that a JSON object has twice. `JSONDecoder` would silently drop one of the values.
package enum RepeatedKey {
    /// - Parameter text: valid JSON or JSON5.
    package static func first(in text: String) -> String? {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let text = Array(text.unicodeScalars)
        var objects: [Set<String>] = []
        // The range of the last string or word, which is a key if a colon follows.
        var word = 0..<0
        var index = 0
        while index < text.count {
            let start = index
            index += 1
            switch text[start] {
            case "{", "[": objects.append([])
            case "}", "]": _ = objects.popLast()
            case "\"", "'":
                while index < text.count, text[index] != text[start] { index += text[index] == "\\" ? 2 : 1 }
                index = min(index + 1, text.count)
                word = start..<index
            case "/":
                let end: [Unicode.Scalar] = text[index...].first == "*" ? ["*", "/"] : ["\n"]
                index = text[index...].dropFirst().firstRange(of: end)?.upperBound ?? text.count
            case ":":
                let written = String(String.UnicodeScalarView(text[word]))
                let key = (try? decoder.decode(String.self, from: Data(written.utf8))) ?? written
                if objects.indices.last.map({ objects[$0].insert(key).inserted }) == false { return key }
            case ",": break
            case let scalar where scalar.properties.isWhitespace: break
            case _:
                while index < text.count, !"{}[]\"'/:,".unicodeScalars.contains(text[index]),
                    !text[index].properties.isWhitespace
                { index += 1 }
                word = start..<index
            }
        }
        return nil
    }
}
