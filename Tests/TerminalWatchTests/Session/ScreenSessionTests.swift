import DeviceModel
import Foundation
import Testing
import Watch
import WatchLink

@testable import TerminalWatch

extension TerminalTests {
    @Suite struct ScreenSessionTests {
        @Test func `a watch that fails by itself ends the session, and says why`() throws {
            let desk = try Desk()
            #expect(desk.session.turn(milliseconds: 0) == nil)
            desk.watch.change { $0.phase = .failed(reason: "the battery is empty") }
            #expect(desk.session.turn(milliseconds: nil) == .watchFailed(reason: "the battery is empty"))
        }

        /// Debian's terminfo entries for the two xterm types have a `kmous` that makes libtermkey report wrong cells.
        @Test(arguments: ["xterm", "xterm-256color", "tmux-256color", "no-such-terminal"])
        func `a click touches the pixel under it`(type: String) throws {
            let desk = try Desk(view: .always(.braille), type: type)
            let size = CellSize(columns: 80, rows: 24)
            let layout = WatchLayout(size: size, view: .always(.braille))
            let cell = CellPoint(column: 38, row: 10)
            let column = layout.window.origin.column + cell.column
            let row = layout.window.origin.row + cell.row
            #expect(desk.type("\u{1B}[<0;\(column + 1);\(row + 1)M\u{1B}[<0;\(column + 1);\(row + 1)m") == nil)
            #expect(
                desk.watch.inputs == [BrailleRenderer.pixel(at: cell).touch, BrailleRenderer.pixel(at: cell).lifted])
        }

        /// In terminfo, vt100 has no `kmous`. For every other type here, `kmous` is `\E[<` or `\E[M`.
        @Test(arguments: ["xterm-256color", "tmux-256color", "screen", "rxvt", "linux", "vt100"])
        func `the terminal is asked for the mouse, and for no more of it in the end`(type: String) throws {
            let desk = try Desk(type: type)
            desk.show()
            let begin = desk.terminal.output()
            #expect(begin.contains("\u{1B}[?1002h") && begin.contains("\u{1B}[?1006h"))
            desk.screen.close()
            let end = desk.terminal.output()
            #expect(end.contains("\u{1B}[?1002l") && end.contains("\u{1B}[?1006l"))
        }

        @Test func `a click does not move the view under the pointer`() throws {
            let desk = try Desk(view: .always(.braille))
            desk.show()
            let last = "\u{1B}[<0;40;23M\u{1B}[<0;40;23m"
            #expect(desk.type(last) == nil)
            desk.show()
            #expect(desk.type(last) == nil)
            // A key, unlike a click, moves the view to the row that it taps. A click at the same cell is then on
            // another pixel.
            #expect(desk.type("6") == nil)
            desk.show()
            #expect(desk.type(last) == nil)
            let touches = desk.watch.inputs
            try #require(touches.count == 8)
            #expect(touches[0] == touches[2])
            #expect(touches[6] != touches[0])
        }

        private func sixels(in text: String) -> [DecodedSixels] {
            text.components(separatedBy: "\u{1B}P").dropFirst().compactMap { DecodedSixels("\u{1B}P" + $0) }
        }

        private static let cell = PixelSize(width: 10, height: 20)

        @Test func `a terminal with sixels gets the panel, and after a tap the rows that have changed`() throws {
            let desk = try Desk(graphics: .some(.sixel, cell: Self.cell), type: "tmux-256color")
            desk.show()
            let whole = sixels(in: desk.terminal.output())
            #expect(whole.count == 1)
            #expect(whole.first?.pixels.count == 288 * 336)
            #expect(desk.type("2") == nil)
            desk.show()
            let parts = sixels(in: desk.terminal.output())
            // One picture shows the second row, and the other picture shows the number in the title bar.
            #expect(parts.count == 2)
            #expect(parts.allSatisfy { $0.pixels.count < 288 * 90 })
        }

        @Test func `a sheet over the pixels takes them away, and they come back whole`() throws {
            for type in [GraphicsProtocol.sixel, .kitty] {
                let desk = try Desk(graphics: .some(type, cell: Self.cell), type: "tmux-256color")
                desk.show()
                let first = desk.terminal.output()
                #expect(desk.type("?") == nil)
                desk.show()
                let covered = desk.terminal.output()
                #expect(!covered.contains("\u{1B}P") && !covered.contains("a=T"))
                #expect(covered.contains("a=d") == (type == .kitty))
                // Spaces overwrite the picture.
                #expect(covered.contains("      "))
                #expect(desk.type("?") == nil)
                desk.show()
                let again = desk.terminal.output()
                switch type {
                case .sixel:
                    #expect(sixels(in: again).first?.pixels == sixels(in: first).first?.pixels)
                case .kitty:
                    #expect(again.components(separatedBy: "a=T").count == first.components(separatedBy: "a=T").count)
                }
            }
        }

        @Test func `a click on a pixel touches it`() throws {
            let desk = try Desk(graphics: .some(.sixel, cell: Self.cell), type: "tmux-256color")
            let layout = WatchLayout(
                size: CellSize(columns: 80, rows: 24), graphics: .some(.sixel, cell: Self.cell))
            let column = layout.window.origin.column + 14
            let row = layout.window.origin.row + 6
            #expect(desk.type("\u{1B}[<0;\(column + 1);\(row + 1)M\u{1B}[<0;\(column + 1);\(row + 1)m") == nil)
            // A cell is 5 x 10 pixels of the panel. The click is in the middle of the fifteenth column and of the
            // seventh row.
            #expect(desk.watch.inputs == .tap(x: 72, y: 65))
        }

        @Test func `an answer about pictures that comes too late taps no row`() throws {
            let desk = try Desk(type: "tmux-256color")
            desk.show()
            #expect(desk.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;4c") == nil)
            #expect(desk.watch.inputs.isEmpty)
            #expect(desk.type("3") == nil)
            #expect(desk.watch.inputs == .tap(row: 2))
        }

        @Test(arguments: ["\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}]11;rgb:1111/2222/3333\u{7}", "\u{1B}P1$r0m\u{1B}\\"])
        func `a string that nothing here has asked for taps no row, in one piece or two`(string: String) throws {
            for size in [1, 2, string.utf8.count] {
                let desk = try Desk()
                let bytes = Array(string.utf8)
                for piece in [bytes.prefix(size), bytes.dropFirst(size)] where !piece.isEmpty {
                    #expect(desk.type(String(decoding: piece, as: UTF8.self)) == nil)
                }
                #expect(desk.watch.inputs.isEmpty)
                #expect(desk.type("3") == nil)
                #expect(desk.watch.inputs == .tap(row: 2))
            }
        }

        @Test(
            arguments: [
                TerminalGraphics.none, .some(.sixel, cell: PixelSize(width: 10, height: 20)),
                .some(.kitty, cell: PixelSize(width: 10, height: 20)),
            ], ViewKind.allCases)
        func `a paste does nothing, and is told in every view`(graphics: TerminalGraphics, view: ViewKind) throws {
            let desk = try Desk(view: .always(view), graphics: graphics)
            desk.show()
            #expect(desk.terminal.output().contains("\u{1B}[?2004h"))
            #expect(desk.type("\u{1B}[200~2 l milk\n3 eggs\nquark\u{1B}[201~") == nil)
            desk.show()
            #expect(desk.watch.inputs.isEmpty)
            #expect(desk.terminal.output().contains("ignored"))
            #expect(desk.type("q") == .asked)
        }

        @Test func `the modes of the terminal are as before in the end, and while the program is stopped`() throws {
            let desk = try Desk()
            let modes = desk.terminal.modes
            desk.show()
            #expect(desk.terminal.output().contains("\u{1B}[?69l"))
            desk.screen.suspend {
                #expect(desk.terminal.output().contains("\u{1B}[?2004l"))
                #expect(desk.terminal.modes != modes)
            }
            desk.show()
            #expect(desk.terminal.output().contains("\u{1B}[?2004h"))
            #expect(desk.terminal.modes == modes, "raw again")
            desk.screen.close()
            #expect(desk.terminal.output().contains("\u{1B}[?2004l"))
            #expect(desk.terminal.modes != modes)
        }

        @Test func `keys work the watch`() throws {
            let desk = try Desk()
            for key in ["\u{1B}[B", "\u{1B}[A", "\r", "s", "3", "\u{1B}[<65;5;5M"] {
                // One second passes between two keys. A key less than 300 ms after its row has moved is ignored.
                desk.clock.now = desk.clock.now + .seconds(1)
                #expect(desk.type(key) == nil)
            }
            #expect(
                desk.watch.inputs == [
                    .crown(detents: 1), .crown(detents: -1), .press(.crown), .press(.side), .touch(row: 2),
                    .lifted(row: 2), .crown(detents: 1),
                ])
        }
    }
}

@Suite struct RowChangesTests {
    @Test func `a position has changed for 300 ms after another item came to it`() {
        var changes = RowChanges()
        let time = Instant.start + .seconds(1)
        changes.note([1, 2, 3, nil], at: time)
        changes.note([1, 3, nil, nil], at: time + .seconds(1))
        #expect(!changes.hasMoved(at: 0, before: time + .seconds(1)))
        #expect(changes.hasMoved(at: 1, before: time + .seconds(1)))
        #expect(changes.hasMoved(at: 1, before: time + .milliseconds(1_299)))
        #expect(!changes.hasMoved(at: 1, before: time + .milliseconds(1_300)))
        changes.note([1, 3, nil, nil], at: time + .seconds(2))
        #expect(!changes.hasMoved(at: 1, before: time + .seconds(2)), "the same rows again")
    }

    @Test func `a row that comes up where none was has moved nothing away`() {
        var changes = RowChanges()
        changes.note([nil, nil], at: .start)
        changes.note([1, 2], at: .start + .seconds(1))
        #expect(!changes.hasMoved(at: 0, before: .start + .seconds(1)))
        changes.note([2, nil], at: .start + .seconds(2))
        #expect(changes.hasMoved(at: 0, before: .start + .seconds(2)))
        #expect(!changes.hasMoved(at: 1, before: .start + .seconds(2)) && !changes.hasMoved(at: 9, before: .start))
    }
}
