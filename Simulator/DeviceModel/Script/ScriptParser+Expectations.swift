import Watch
import WatchLink

extension ScriptParser {
    /// What can be waited for.
    private static let waits =
        "wait DURATION such as 200ms or 2s, wait until synced|settled [DURATION], or wait until row N TEXT [DURATION] "
        + "with N 1 to \(RowGeometry.rowsVisible)"

    /// Reads what follows `wait`.
    static func wait(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptCommand {
        guard words.rest.hasPrefix("until") else { return .wait(try words.only(waits) { duration($0) }) }
        _ = try words.one(waits) { $0 == "until" ? $0 : nil }
        switch try words.one(waits, { $0 }) {
        case "synced": return .waitUntil(.synced, within: try limit(&words))
        case "settled": return .waitUntil(.settled, within: try limit(&words))
        case "row":
            let row = try row(&words, waits)
            let limit = words.last { duration($0) } ?? waitLimit
            return .waitUntil(.row(row, try words.text(waits)), within: limit)
        case let other:
            let question = SimilarWord.question(other, among: ["synced", "settled", "row"])
            throw .malformed(fault: "\"\(other)\" does not fit\(question)", allowed: waits)
        }
    }

    private static func limit(_ words: inout ScriptWords) throws(ScriptError.Problem) -> Microseconds {
        words.rest.isEmpty ? waitLimit : try words.only(waits) { duration($0) }
    }

    private static let screenForm = "expect screen \(ScreenName.all.map(\.name).joined(separator: "|"))"
    private static let faceForm = "expect face \(FaceStyle.all.map { "\($0.name)" }.joined(separator: "|"))"
    private static let markForm =
        "expect \((ScriptMark.allCases.map(\.rawValue) + WatchMoment.all.map(\.participle)).joined(separator: "|")) within DURATION such as 8ms or 1s"
    private static let rowForm = "expect row N TEXT with N 1 to \(RowGeometry.rowsVisible)"
    private static let subjects =
        ["title", "row", "no", "screen", "face", "left", "complication", "text", "haptics", "screenshot"]
        + WatchMoment.all.map(\.participle) + ScriptMark.allCases.map(\.rawValue)

    /// Reads what follows `expect`.
    static func expectation(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptExpectation {
        let allowed =
            "expect title TEXT, row N TEXT, no row TEXT, screen NAME, face NAME, left N, complication TEXT, text TEXT, "
            + "haptics N, screenshot FILE.png or MARK within DURATION"
        let subject = try words.one(allowed) { $0 }
        if let mark = ScriptMark(rawValue: subject) { return .mark(mark, within: try markLimit(&words)) }
        if let moment = WatchMoment.all.first(where: { $0.participle == subject }) {
            return .moment(moment, within: try markLimit(&words))
        }
        switch subject {
        case "face": return .screen(.face(try words.only(faceForm) { FaceStyle(named: $0) }))
        case "title": return .screen(.title(try words.text("expect title TEXT")))
        case "row":
            let position = try row(&words, rowForm)
            return .screen(.row(position, try words.text(rowForm)))
        case "no":
            _ = try words.one("expect no row TEXT") { $0 == "row" ? $0 : nil }
            return .screen(.noRow(try words.text("expect no row TEXT")))
        case "screen": return .screen(.screen(try words.only(screenForm) { ScreenName(name: $0) }))
        case "left": return .screen(.left(try words.only("expect left N") { UInt32($0) }))
        case "complication": return .screen(.complication(try words.text("expect complication TEXT")))
        case "text": return .screen(.text(try words.text("expect text TEXT")))
        case "haptics":
            return .haptics(try words.only("expect haptics N with N 0 to 1000000") { number($0, in: 0...1_000_000) })
        case "screenshot": return .screenshot(file: try pictureFile(&words, "expect screenshot FILE.png"))
        case let other:
            let question = SimilarWord.question(other, among: subjects)
            throw .malformed(fault: "\"\(other)\" does not fit\(question)", allowed: allowed)
        }
    }

    private static func markLimit(_ words: inout ScriptWords) throws(ScriptError.Problem) -> Microseconds {
        _ = try words.one(markForm) { $0 == "within" ? $0 : nil }
        return try words.only(markForm) { duration($0) }
    }
}
