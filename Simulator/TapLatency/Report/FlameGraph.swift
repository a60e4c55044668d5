import Emulator

extension [TapReport] {
    /// The call paths as folded stacks, which flame graph programs read. A line names the handler, the stage and the
    /// functions of one path, separated by `;`. The line ends with a space and the cycles of the path's last function,
    /// without its callees.
    package var foldedStacks: [UInt8] {
        let lines = flatMap { report in
            report.code.flatMap { $0.calls.folded(below: [report.handler, $0.name]) }
        }
        return [UInt8](lines.joined().utf8)
    }
}

/// One stage, or the code outside all stages, with the cycles of each function.
package struct CodePart: Equatable, Sendable {
    package var name: String
    package var calls: CallProfile

    package struct Share: Equatable, Sendable {
        package var name: String
        package var cycles: Int
        package var share: Double
    }

    package func largest(_ count: Int) -> [Share] {
        let all = Double(max(calls.cycles, 1))
        return zip(calls.functions, calls.labels).prefix(count).filter { $0.0.ownCycles > 0 }.map { function, label in
            Share(name: label, cycles: function.ownCycles, share: Double(function.ownCycles) / all)
        }
    }
}

extension TapReport {
    package var codeOfStages: [CodePart] {
        stages.compactMap { stage in stage.code.map { CodePart(name: stage.name, calls: $0) } }
    }

    package var code: [CodePart] { codeOfStages + [codeAroundStages].compactMap { $0 } }

    /// The stages that take at least 5 % of the cycles of all stages. Each has its share, from 0 to 1.
    package var notableStages: [(part: CodePart, share: Double)] {
        let all = Double(max(codeOfStages.reduce(0) { $0 + $1.calls.cycles }, 1))
        return codeOfStages.map { ($0, Double($0.calls.cycles) / all) }.filter { $0.1 >= 0.05 }
    }

    package var codeAroundStages: CodePart? { aroundStages.map { CodePart(name: "around the stages", calls: $0) } }
}

extension CallProfile {
    /// The short names of the functions, in the order of `names`. If functions have the same short name, their parameter labels
    /// are added. If a function still has no unique name, it gets its full name.
    var labels: [String] {
        let labels = names.map { FunctionLabel($0) }
        let texts = Dictionary(labels.map { ($0.text, 1) }, uniquingKeysWith: +)
        let selectors = Dictionary(labels.map { ($0.selector, 1) }, uniquingKeysWith: +)
        return labels.map { label in
            if texts[label.text] == 1 { return label.text }
            guard let selector = label.selector, selectors[selector] == 1 else { return label.whole }
            return selector
        }
    }
}

extension CallProfile: Encodable {
    private enum Key: String, CodingKey {
        case functions, calls
    }

    private struct FunctionFields: Encodable {
        let name: String
        let label: String
        let ownCycles: Int
        let totalCycles: Int
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(calls, forKey: .calls)
        try values.encode(
            zip(functions, labels).map {
                FunctionFields(name: $0.name, label: $1, ownCycles: $0.ownCycles, totalCycles: $0.totalCycles)
            }, forKey: .functions)
    }
}

/// Three names of a function for reports, made from its demangled name.
package struct FunctionLabel: Equatable, Sendable {
    /// The short name: the type and the function, such as `GlyphReader.next`.
    package let text: String

    /// The short name with parameter labels, such as `Frame.draw(part:at:)`. Nil if the function has no parameters.
    package let selector: String?
    /// The full demangled name without file identifiers such as ` in _CB6C`.
    package let whole: String

    package init(_ name: String) {
        whole = FunctionLabel.withoutFiles(name)
        var text = whole[...]
        if text.hasPrefix("closure #"), let place = text.firstRange(of: " in ") { text = text[place.upperBound...] }
        for word in ["static ", "protocol witness for "] where text.hasPrefix(word) { text.removeFirst(word.count) }
        // A bracket at the beginning belongs to an operator.
        var labels: String?
        if let end = text.firstIndex(of: "("), end > text.startIndex {
            labels = FunctionLabel.labels(of: text[end...].dropFirst())
            text = text[..<end]
        }
        if let type = text.firstRange(of: " : ") { text = text[..<type.lowerBound] }
        for word in [".getter", ".setter", ".modify", ".read"] where text.hasSuffix(word) {
            text.removeLast(word.count)
        }
        // A Swift module's name begins with a capital letter. C has names such as "call.6".
        if let point = text.firstIndex(of: "."), text.first?.isUppercase == true, !text[..<point].contains("<") {
            text = text[text.index(after: point)...]
        }
        while text.last == " " { text.removeLast() }
        let label = text.isEmpty ? name : String(text)
        self.text = label
        selector = labels.map { "\(label)(\($0))" }
    }

    /// Returns the parameter labels, such as `part:at:`. `parameters` begins just after the opening bracket of the parameters.
    private static func labels(of parameters: Substring) -> String {
        var depth = 0
        var present = ""
        var all: [String] = []
        for character in parameters {
            if depth == 0, character == ")" { break }
            switch character {
            case "(", "<", "[": depth += 1
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

    /// Replaces `(head in _CB6C)` with `head`.
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
