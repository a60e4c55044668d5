import Foundation
import TestSupport
import Testing
import Watch

@testable import DeviceModel

@Suite struct ScriptTableTests {
    @Test func `every command is in the table, and nothing else`() {
        let words = ScriptTable.forms.joined().compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(Set(words) == Set(ScriptCommand.commandNames))
    }

    @Test func `the page says what each form does, in this order`() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let page = try String(contentsOf: root.appendingPathComponent("Simulator/SCRIPTS.md"), encoding: .utf8)
        let table = try #require(page.firstRange(of: "| command | what it does |\n|---|---|\n")).upperBound
        let rows = page[table...].split(separator: "\n", omittingEmptySubsequences: false).prefix {
            $0.hasPrefix("| `")
        }
        let wanted = ScriptTable.forms.map { forms in forms.map { "`\($0)`" }.joined(separator: ", ") }
        #expect(rows.map { $0.dropFirst(2).split(separator: " | ", maxSplits: 1).first.map(String.init) } == wanted)
    }

    @Test func `a page names every screen that a script can expect`() throws {
        let names = ScreenName.all.map { "`\($0.name)`" }
        let list = "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])"
        #expect(try Pages.texts().contains { $0.contains(list) }, "one page has: \(list)")
    }

    /// Placeholders of the table's forms, and example arguments that replace them. A placeholder that contains another
    /// one comes first.
    private static let arguments = [
        ("ROW", "1"), ("TITLE", "Milk"), ("TEXT", "Milk"), ("ITEM", "1"), ("FILE.png", "a.png"),
        ("face NAME", "face simple"), ("NAME", "list"),
        ("MARK", "updated"), ("YYYY-MM-DD", "2026-11-20"), ("HH:MM", "10:08"), ("record FILE", "record a.gif"),
        ("FILE", "a.script"), (" N", " 1"), (" X Y", " 1 1"), (" X Y", " 1 1"), ("…", "none"),
    ]

    @Test(arguments: ScriptTable.forms.flatMap(\.self)) func `every form in the table is read`(form: String) throws {
        let line = Self.arguments.reduce(form) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        #expect(throws: Never.self) { try ScriptLine<ScriptCommand>(line) }
    }
}
