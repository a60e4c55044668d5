import Watch
import WatchLink

/// Reads the script language: one command a line; blank lines and lines that begin with `#` are passed over.
///
/// A text (of a title, a row or a file) is the rest of its line without the white space around it.
package struct ScriptParser: Sendable {
    /// The commands' names, in the order in which the documentation lists them.
    package static let commandNames = [
        "tap", "touch", "crown", "press", "hold", "wait", "expect", "screenshot", "describe", "pause", "resume", "step",
        "speed", "fault", "quit",
    ]

    /// How long `wait until synced` waits unless it says otherwise: 30 s.
    package static let synchronizationLimit = Microseconds.seconds(30)

    /// The script's name, for errors.
    package let file: String

    /// A parser for the script called `file`.
    package init(file: String) {
        self.file = file
    }

    /// All statements of `text`, in order.
    ///
    /// - Throws: a `ScriptError` for the first line that is wrong.
    package func statements(in text: String) throws(ScriptError) -> [ScriptStatement] {
        var statements: [ScriptStatement] = []
        // Carriage return and line feed together are one character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            if let statement = try statement(in: String(line), number: index + 1) { statements.append(statement) }
        }
        return statements
    }

    /// The statement on one line, or nil when it holds none.
    ///
    /// - Parameters:
    ///   - line: the line, without its end.
    ///   - number: its number, counted from 1.
    package func statement(in line: String, number: Int) throws(ScriptError) -> ScriptStatement? {
        var words = ScriptWords(line)
        guard let name = words.next(), !name.hasPrefix("#") else { return nil }
        do throws(ScriptError.Problem) {
            return ScriptStatement(try ScriptParser.command(name, &words), line: number)
        } catch {
            throw ScriptError(error, file: file, line: number)
        }
    }
}

extension ScriptError.Problem: Error {}

extension ScriptParser {
    private static func command(
        _ name: String, _ words: inout ScriptWords
    ) throws(ScriptError.Problem) -> ScriptCommand {
        switch name {
        case "tap":
            return .tap(row: try words.only("tap ROW with ROW 0 to \(lastRow)") { row($0) })
        case "touch":
            return try touch(&words)
        case "crown":
            return .crown(detents: try words.only("crown N with N -128 to 127") { Int8($0) })
        case "press":
            return .press(try words.only("press crown or press side") { button($0) })
        case "hold":
            return .hold(try words.only("hold crown or hold side") { button($0) })
        case "wait":
            return try wait(&words)
        case "expect":
            return .expect(try expectation(&words))
        case "screenshot":
            return .screenshot(file: try screenshotFile(&words))
        case "describe":
            try words.end("describe alone")
            return .describe
        case "pause":
            try words.end("pause alone")
            return .pause
        case "resume":
            try words.end("resume alone")
            return .resume
        case "step":
            try words.end("step alone")
            return .step
        case "speed":
            return .speed(try words.only("speed N with N 0.1 to 1000") { ClockSpeed(text: $0) })
        case "fault":
            return .fault(try fault(&words))
        case "quit":
            try words.end("quit alone")
            return .quit
        default:
            throw .unknownCommand(name)
        }
    }

    private static func touch(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptCommand {
        let allowed = "touch X Y with X 0 to \(PanelGeometry.width - 1) and Y 0 to \(PanelGeometry.height - 1)"
        let x = try words.one(allowed) { coordinate($0, below: PanelGeometry.width) }
        let y = try words.only(allowed) { coordinate($0, below: PanelGeometry.height) }
        return .touch(x: x, y: y)
    }

    private static func wait(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptCommand {
        let allowed = "wait DURATION such as 200ms or 2s, or wait until synced [DURATION]"
        guard words.rest.hasPrefix("until") else { return .wait(try words.only(allowed) { duration($0) }) }
        _ = try words.one(allowed) { $0 == "until" ? $0 : nil }
        _ = try words.one(allowed) { $0 == "synced" ? $0 : nil }
        guard !words.rest.isEmpty else { return .waitUntilSynchronized(within: synchronizationLimit) }
        return .waitUntilSynchronized(within: try words.only(allowed) { duration($0) })
    }

    private static func expectation(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptExpectation {
        let screenForm = "expect screen \(ScreenName.all.map(\.name).joined(separator: "|"))"
        let allowed = "expect title TEXT, expect row N TEXT or \(screenForm)"
        switch try words.one(allowed, { $0 }) {
        case "title":
            return .title(try words.text("expect title TEXT"))
        case "row":
            let rowForm = "expect row N TEXT with N 0 to \(lastRow)"
            let position = try words.one(rowForm) { row($0) }
            return .row(position, try words.text(rowForm))
        case "screen":
            return .screen(try words.only(screenForm) { ScreenName(name: $0) })
        case let other:
            throw .malformed(fault: "\"\(other)\" does not fit", allowed: allowed)
        }
    }

    private static func screenshotFile(_ words: inout ScriptWords) throws(ScriptError.Problem) -> String {
        let file = try words.text("screenshot FILE.png")
        guard file.hasSuffix(".png"), file.count > 4 else {
            throw .malformed(fault: "\"\(file)\" does not fit", allowed: "screenshot FILE.png")
        }
        return file
    }

    private static var lastRow: Int { RowGeometry.rowsVisible - 1 }

    private static func row(_ word: String) -> Int? {
        Int(word).flatMap { (0...lastRow).contains($0) ? $0 : nil }
    }

    private static func coordinate(_ word: String, below limit: Int) -> Int16? {
        Int16(word).flatMap { (0..<limit).contains(Int($0)) ? $0 : nil }
    }

    private static func button(_ word: String) -> Button? {
        switch word {
        case "crown": .crown
        case "side": .side
        default: nil
        }
    }

    static func duration(_ word: String) -> Microseconds? {
        if word.hasSuffix("ms") { return UInt32(word.dropLast(2)).map { .milliseconds($0) } }
        if word.hasSuffix("s") { return UInt32(word.dropLast()).map { .seconds($0) } }
        return nil
    }
}
