import DeviceModel
import Testing
import Watch

@testable import TerminalWatch

struct KeyMapTests {
    @Test(arguments: [
        (KeyPress.named("Up"), TerminalCommand.input(.crown(detents: -1))),
        (.named("Down"), .input(.crown(detents: 1))),
        (.named("Enter"), .input(.press(.crown))),
        (.text("s"), .input(.press(.side))),
        (.text("y"), .input(.hold(.crown))),
        (.text("a"), .input(.hold(.side))),
        (.text("1"), .tapVisibleRow(0)),
        (.text("9"), .tapVisibleRow(8)),
        (.text("0"), .nothing),
        (.named("PageDown"), .scroll(detents: 6)),
        (.named("Home"), .scroll(detents: -127)),
        (.named("S-Down"), .pan(columns: 0, rows: 1)),
        (.text("v"), .nextView),
        (.named("C-\\"), .quit),
        (.named("C-z"), .suspend),
        (.named("C-c"), .quit),
        (.text("q"), .quit),
        (.text("?"), .toggleHelp),
        (.text("p"), .togglePause),
        (.text("n"), .step),
        (.text("<"), .slower),
        (.text(">"), .faster),
        (.text("f"), .toggleFaults),
        (.text("ž"), .nothing),
        (.named("F12"), .nothing),
    ])
    func `a key does what the help says`(key: KeyPress, command: TerminalCommand) {
        #expect(KeyMap.command(for: key) == command)
    }

    @Test(arguments: [
        (KeyPress.text("1"), TerminalCommand.change(.loss)),
        (.text("6"), .change(.battery)),
        (.text("0"), .change(.none)),
        (.text("7"), .nothing),
        (.text("f"), .toggleFaults),
        (.named("Escape"), .toggleFaults),
        (.text("p"), .togglePause),
        (.text("q"), .quit),
        (.named("C-z"), .suspend),
    ])
    func `while the faults are shown digits change one`(key: KeyPress, command: TerminalCommand) {
        #expect(KeyMap.commandInFaults(for: key) == command)
    }

    @Test func `a row's number touches the middle of that row`() {
        for position in 0..<RowGeometry.rowsVisible {
            guard case .touch(_, let y) = Input.touch(row: position) else {
                Issue.record("not a touch")
                continue
            }
            #expect(RowGeometry.row(atY: Int(y)) == position)
        }
    }
}
