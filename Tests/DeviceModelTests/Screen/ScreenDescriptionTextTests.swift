import Testing
import Watch

@testable import DeviceModel

@Suite struct ScreenDescriptionTextTests {
    private func list(_ titles: [String]) -> ScreenDescription {
        var screen = ScreenDescription()
        screen.screen = .list
        screen.title = "Groceries"
        screen.rows = titles.enumerated().map { .init(id: UInt32($0.offset), title: $0.element) }
        screen.remaining = UInt32(titles.count)
        return screen
    }

    @Test func `A list says its title, its rows with their marks, and how the link is`() {
        var screen = list(["Milk", "Bread"])
        screen.rows[1].state = .struck
        screen.remaining = 1
        screen.link = .reachable
        screen.isSynchronized = true
        #expect(
            screen.text == """
                Groceries, 1 left
                1 [ ] Milk
                2 [x] Bread
                phone connected, in sync

                """)
    }

    @Test func `Rows are numbered as the panel shows them, and the others counted`() {
        var screen = list((0..<20).map { "item \($0)" })
        screen.firstVisibleRow = 5
        screen.more = 40
        let lines = screen.lines
        #expect(lines[1] == "5 above")
        #expect(lines[2] == "1 [ ] item 5")
        let visible = RowGeometry.rowsVisible
        #expect(lines[1 + visible] == "\(visible) [ ] item \(4 + visible)")
        #expect(lines[2 + visible] == "\(15 - visible) below")
        #expect(lines[3 + visible] == "40 more on the phone")
    }

    @Test func `A title that was cut ends in an ellipsis`() {
        var screen = list(["A long ti"])
        screen.rows[0].completeness = .cut
        #expect(screen.lines[1] == "1 [ ] A long ti…")
    }

    @Test func `An empty list says so`() {
        #expect(list([]).lines[1] == "nothing to check off")
    }

    @Test func `A list that has not arrived does not claim an empty list`() {
        var screen = list([])
        screen.placeholder = .moreToCome
        #expect(screen.lines[1] == "more to come from the phone")
        screen.placeholder = .noListYet
        #expect(screen.lines[1] == "no list yet")
    }

    @Test func `What the wearer has to know is the last line`() {
        var screen = list(["Milk"])
        screen.notice = .notStored
        #expect(screen.lines.last == "not stored: flash failing")
    }

    @Test func `A face says the time and its complication`() {
        var screen = list(["Milk"])
        screen.screen = .face
        screen.time = "10:42"
        screen.complication = .init(text: "Milk", remaining: 1)
        #expect(screen.lines == ["Face, 10:42", "complication: Milk", "1 left", "phone not connected, not in sync"])
    }

    @Test func `A face that has travelled says the time on it, and how far that is`() {
        var screen = list(["Milk"])
        screen.screen = .face
        screen.time = "10:42"
        screen.travel = ScreenDescription.Travel(
            minutes: -78, time: "09:24", complication: ScreenDescription.Complication(text: "Bread", remaining: 3))
        #expect(screen.lines.prefix(3) == ["Face, 09:24, 1 h 18 min back", "complication: Bread", "3 left"])
        screen.travel?.minutes = 120
        #expect(screen.lines.first == "Face, 09:24, 2 h ahead")
    }

    @Test func `The sheets say what they are about`() {
        var screen = list(["Milk"])
        screen.screen = .fullTitle
        screen.fullTitle = "Milk of the small farm"
        #expect(screen.lines.prefix(2) == ["Full title", "Milk of the small farm"])
        screen.screen = .status
        screen.link = .reachable
        screen.waitingMessages = 2
        screen.notice = .notStored
        #expect(
            screen.lines == [
                "Phone", "Connected", "2 to send", "Not stored:", "flash failing",
                "phone connected, 2 messages waiting",
            ])
    }

    @Test func `Messages that wait are counted`() {
        var screen = list([])
        screen.link = .connecting
        screen.waitingMessages = 1
        #expect(screen.lines.last == "phone connecting, 1 message waiting")
        screen.waitingMessages = 3
        #expect(screen.lines.last == "phone connecting, 3 messages waiting")
    }

    @Test func `Nothing in a title can move a cursor or turn the text round`() {
        let screen = list(["a\u{1B}[2Jb\u{202E}c\nd"])
        #expect(screen.lines[1] == "1 [ ] a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}d")
    }

    @Test func `Rows outside of the list are none`() {
        var screen = list(["Milk"])
        #expect(screen.row(at: 0)?.title == "Milk")
        #expect(screen.row(at: 1) == nil)
        #expect(screen.row(at: -1) == nil)
        screen.firstVisibleRow = .max
        #expect(screen.row(at: 1) == nil)
    }
}
