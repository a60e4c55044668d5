import Testing

@testable import TerminalWatch

struct HelpSheetTests {
    private static let keys: [(KeyPress, String)] =
        (UInt8(ascii: " ")...UInt8(ascii: "~")).map { byte in
            let text = String(UnicodeScalar(byte))
            return (.text(text), text == " " ? "Space" : text)
        } + [
            (.named("Up"), "↑"), (.named("Down"), "↓"), (.named("Left"), "←"), (.named("Right"), "→"),
            (.named("S-Up"), "Shift-↑"), (.named("S-Down"), "Shift-↓"), (.named("Enter"), "Enter"),
            (.named("Backspace"), "Backspace"), (.named("Tab"), "Tab"), (.named("PageUp"), "PgUp"),
            (.named("PageDown"), "PgDn"), (.named("Home"), "Home"), (.named("End"), "End"), (.named("F1"), "F1"),
        ] + ["l", "z", "c", "d", "\\"].map { (.named("C-\($0)"), "Ctrl-\($0)") }

    private func text(_ size: CellSize, page: Int = 0) -> [String] {
        var canvas = TextCanvas(size: size)
        HelpSheet.draw(page: page, on: &canvas)
        return (0..<size.rows).map { canvas.text(row: $0) }
    }

    @Test func `every key that does something is in the help`() {
        let listed = KeyMap.all.flatMap { $0.keys.split(separator: " ") }.map { $0.lowercased() }
        for (key, name) in Self.keys where KeyMap.command(for: key) != .nothing {
            // The digits are a range; those beyond the panel's rows do nothing.
            if name.allSatisfy(\.isNumber) { continue }
            #expect(listed.contains(name.lowercased()), "\(name)")
        }
    }

    @Test(arguments: [(80, 24), (80, 50), (200, 24)])
    func `all of it is to be seen at once in a usual terminal`(columns: Int, rows: Int) {
        let size = CellSize(columns: columns, rows: rows)
        #expect(HelpSheet.pages(size) == 1)
        let text = text(size).joined(separator: "\n")
        for hint in KeyMap.all {
            #expect(text.contains(hint.keys), "\(hint.keys)")
            #expect(text.contains(hint.meaning), "\(hint.meaning)")
        }
    }

    @Test func `in a small terminal it has pages, and the last one ends it`() {
        let size = CellSize(columns: 40, rows: 10)
        #expect(HelpSheet.pages(size) == 3)
        let pages = (0..<3).map { text(size, page: $0) }
        #expect(pages[0].last?.contains("? more (1 of 3)") == true)
        #expect(pages[2].last?.contains("more") == false)
        let all = pages.joined().joined(separator: "\n")
        for hint in KeyMap.all { #expect(all.contains(hint.meaning), "\(hint.meaning)") }
        var scene = TerminalScene(size: size, label: .sample)
        var shown = 0
        while shown < 10 {
            scene.cover = scene.coverAfterHelp
            guard case .help = scene.cover else { break }
            shown += 1
        }
        #expect(shown == 3)
    }
}
