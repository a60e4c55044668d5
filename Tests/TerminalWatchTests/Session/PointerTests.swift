import DeviceModel
import Testing
import Watch
import WatchLink

@testable import TerminalWatch

extension TerminalTests {
    @Suite struct PointerTests {
        @Test func `a finger goes where the pointer goes, and lifts where the button goes up`() throws {
            let desk = try Desk(view: .always(.braille))
            desk.show()
            #expect(
                desk.type("\u{1B}[<0;20;8M\u{1B}[<32;20;9M\u{1B}[<32;20;9M\u{1B}[<32;21;12M\u{1B}[<0;21;12m") == nil)
            let (x, y) = try #require(desk.watch.inputs.first?.place)
            // A cell is two pixels wide and four high.
            #expect(
                desk.watch.inputs == [
                    .touch(x: x, y: y), .moved(x: x, y: y + 4), .moved(x: x + 2, y: y + 16),
                    .lifted(x: x + 2, y: y + 16),
                ])
        }

        @Test func `a finger that leaves the display lifts beside the panel`() throws {
            let desk = try Desk(view: .always(.braille))
            desk.show()
            #expect(desk.type("\u{1B}[<0;20;8M\u{1B}[<32;1;8M\u{1B}[<0;1;8m") == nil)
            let (_, y) = try #require(desk.watch.inputs.last?.place)
            #expect(desk.watch.inputs.last == .lifted(x: -1, y: y))
        }

        @Test func `a press on the case that is moved away presses nothing`() throws {
            let desk = try Desk()
            desk.show()
            let crown = try #require(WatchLayout(size: CellSize(columns: 80, rows: 24)).crown).origin
            let (column, row) = (crown.column + 1, crown.row + 1)
            #expect(
                desk.type("\u{1B}[<0;\(column);\(row)M\u{1B}[<32;\(column);\(row + 9)M\u{1B}[<0;\(column);\(row + 9)m")
                    == nil)
            #expect(desk.watch.inputs.isEmpty)
            #expect(desk.type("\u{1B}[<0;\(column);\(row)M\u{1B}[<0;\(column);\(row)m") == nil)
            #expect(desk.watch.inputs == [.press(.crown)])
        }

        @Test func `where no release is ever reported a press is a tap, from the second one on`() throws {
            let desk = try Desk(view: .always(.braille))
            desk.show()
            for row in 8...10 { #expect(desk.type("\u{1B}[<0;20;\(row)M") == nil) }
            let kinds = desk.watch.inputs.map { input in
                switch input {
                case .touch: "touch"
                case .lifted: "lift"
                case .moved, .crown, .press, .hold, .pairing, .wrist, .clock: "other"
                }
            }
            #expect(kinds == ["touch", "touch", "lift", "touch", "lift"])
            // The terminal reports a release after all.
            #expect(desk.type("\u{1B}[<0;20;12m\u{1B}[<0;20;12M") == nil)
            let (x, y) = try #require(desk.watch.inputs.last?.place)
            #expect(desk.watch.inputs.last == .touch(x: x, y: y))
        }

        @Test(arguments: [(130, 50, ViewPreference.automatic), (80, 24, .automatic), (80, 24, .always(.braille))])
        func `a press on a row that has moved since it was drawn touches none, and that is said`(
            columns: Int, rows: Int, view: ViewPreference
        ) throws {
            let desk = try Desk(columns: columns, rows: rows, view: view)
            desk.show()
            // The list changes between the picture and the press.
            desk.watch.onSideButton = { [watch = desk.watch] in watch.change { $0.description.rows.removeFirst() } }
            #expect(desk.type("s\u{1B}[<0;20;12M\u{1B}[<0;20;12m") == nil)
            #expect(desk.watch.inputs == [.press(.side)])
            desk.show()
            #expect(desk.terminal.output().contains("moved"))
        }

        @Test func `a key for a row that has moved since it was drawn taps none, and that is said`() throws {
            let desk = try Desk()
            desk.show()
            desk.watch.onSideButton = { [watch = desk.watch] in watch.change { $0.description.rows.removeFirst() } }
            #expect(desk.type("s2") == nil)
            #expect(desk.watch.inputs == [.press(.side)])
            desk.show()
            #expect(desk.terminal.output().contains("the row moved"))
        }

        @Test func `a key within 300 ms of another row's coming to its place taps none, and that is said`() throws {
            let desk = try Desk()
            desk.show()
            desk.watch.change { $0.description.rows.remove(at: 3) }
            desk.show()
            _ = desk.terminal.output()
            desk.clock.now = desk.clock.now + .milliseconds(299)
            #expect(desk.type("4") == nil)
            #expect(desk.watch.inputs.isEmpty)
            desk.show()
            #expect(desk.terminal.output().contains("the row moved"))
            // The rows above have not moved.
            #expect(desk.type("3") == nil)
            #expect(desk.watch.inputs == .tap(row: 2))
            desk.clock.now = desk.clock.now + .milliseconds(1)
            #expect(desk.type("4") == nil)
            #expect(desk.watch.inputs == .tap(row: 2) + .tap(row: 3))
        }
    }
}

extension Input {
    fileprivate var place: (x: Int16, y: Int16)? {
        switch self {
        case .touch(let x, let y), .moved(let x, let y), .lifted(let x, let y): (x, y)
        case .crown, .press, .hold, .pairing, .wrist, .clock: nil
        }
    }
}
