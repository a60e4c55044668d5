import DeviceModel
import Foundation
import Testing
import WatchLink

@testable import Emulator

@Suite struct MachineCommandTests {
    private func action(_ line: String) throws -> MachineCommand.Action? {
        try ScriptReader<MachineCommand>(file: "s").statements(in: line).first?.command.action
    }

    private func problem(_ line: String) -> String {
        do { return "\(try action(line) as Any)" } catch { return "\(error)" }
    }

    /// Placeholders of the forms, and example arguments that replace them. A placeholder that contains another one
    /// comes first.
    private static let arguments = [
        ("X,Y", "12,34"), ("FILE.png", "a.png"), ("FILE.gif", "a.gif"), ("include FILE", "end"), ("\"TEXT\"", "\"Hi\""),
        ("TEXT", "ready"), ("UUID", "2A46"), ("HEX", "00ff"), ("NAME", "Watch"), ("TITLE", "Rye bread"), ("ITEM", "1"),
        (" N", " 1"), (" M", " 0"),
    ]

    @Test(arguments: MachineCommand.forms.joined().filter { !$0.hasPrefix("include") && $0 != "end" })
    func `every form is read`(form: String) throws {
        let line = Self.arguments.reduce(form) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        #expect(throws: Never.self) { try action(line.hasPrefix("repeat") ? "\(line)\nend" : line) }
    }

    @Test func `the page says what each form does, in this order`() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let page = try String(contentsOf: root.appendingPathComponent("Simulator/SCRIPTS.md"), encoding: .utf8)
        let table = try #require(page.firstRange(of: "| command for firmware | what it does |\n|---|---|\n")).upperBound
        let rows = page[table...].split(separator: "\n", omittingEmptySubsequences: false).prefix {
            $0.hasPrefix("| `")
        }
        let wanted = MachineCommand.forms.map { forms in forms.map { "`\($0)`" }.joined(separator: ", ") }
        #expect(rows.map { $0.dropFirst(2).split(separator: " | ", maxSplits: 1).first.map(String.init) } == wanted)
    }

    @Test func `a tap lasts 80 ms, or as long as the line says`() throws {
        #expect(try action("tap 42,82") == .press(x: 42, y: 82, for: .milliseconds(80)))
        #expect(try action("tap 42,82 for 200ms") == .press(x: 42, y: 82, for: .milliseconds(200)))
        #expect(try action("hold 1,2 for 3s") == .press(x: 1, y: 2, for: .seconds(3)))
    }

    @Test func `a wait has a limit of 30 s, or that of the line`() throws {
        #expect(try action("wait until drawn") == .waitUntil(.drawn, within: .seconds(30)))
        #expect(try action("wait until asleep within 2s") == .waitUntil(.asleep, within: .seconds(2)))
        #expect(
            try action("wait until console all done within 5s") == .waitUntil(.console("all done"), within: .seconds(5))
        )
    }

    @Test func `a phone's list is changed by words, and counted`() throws {
        #expect(try action("phone add Rye bread") == .list(.add("Rye bread")))
        #expect(try action("phone check 2") == .list(.check("2")))
        #expect(try action("wait until left 2 within 5s") == .waitUntil(.left(2), within: .seconds(5)))
    }

    @Test func `a phone writes bytes or a text`() throws {
        let uuid = try #require(AttributeUUID("2A46"))
        #expect(try action("phone write 2A46 0001ff") == .phone(.write(uuid, [0, 1, 0xFF])))
        #expect(try action("phone write 2A46 \"Hi there\"") == .phone(.write(uuid, Array("Hi there".utf8))))
    }

    @Test(arguments: ["tap 1", "tap 1 or nothing", "hold row 2", "press side", "describe"])
    func `a command for Tapline's own watch is named as one`(line: String) {
        #expect(problem(line).contains("own watch"))
    }

    @Test func `an unknown word comes with a similar one`() {
        #expect(
            problem("swpie left").hasPrefix("s:1: unknown command \"swpie\", did you mean \"swipe\"?; allowed: tap, "))
        #expect(problem("tap 1,x").hasPrefix("s:1: \"1,x\" does not fit; allowed: tap X,Y"))
        #expect(problem("fault radio loss 101%").contains("\"101%\" does not fit"))
    }
}
