import Foundation

/// Plans as JSON with one event a line, as `--plan` reads them.
enum PlanText {
    /// The text of a plan.
    ///
    /// - Parameters:
    ///   - members: what stands before its events, such as `"seed":1`.
    ///   - name: the name of its events.
    static func writing(_ members: String, _ name: String, _ events: [some Encodable]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let lines = events.map { event in
            // Whole numbers and names always have a JSON form.
            (try? encoder.encode(event)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return "{\(members),\"\(name)\":[\n" + lines.joined(separator: ",\n") + "\n]}\n"
    }

    /// The plan in a text, also behind a story.
    static func reading<Value: Decodable>(_ text: String) throws(SoakError) -> Value {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("{") }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(lines.joined(separator: "\n").utf8))
        } catch {
            throw .notAPlan(reason: lines.isEmpty ? "no line begins with {" : "it cannot be decoded")
        }
    }
}
