import CTickit
import DeviceModel
import Glibc
import HostSystem
import Testing
import Watch

@testable import TerminalWatch

extension TerminalTests {
    @Suite struct TickitScreenTests {
        private func text(_ terminal: OpaquePointer, row: CInt, columns: CInt) -> String {
            var buffer = [CChar](repeating: 0, count: 1_024)
            tickit_mockterm_get_display_text(terminal, &buffer, buffer.count, row, 0, columns)
            return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        private func open(columns: CInt, rows: CInt) throws -> (screen: TickitScreen, terminal: OpaquePointer) {
            let terminal = try #require(tickit_mockterm_new(rows, columns))
            return (try TickitScreen(terminal: terminal), terminal)
        }

        @Test func `a picture is what the terminal then shows`() throws {
            let (screen, terminal) = try open(columns: 20, rows: 3)
            defer { screen.close() }
            #expect(screen.size == CellSize(columns: 20, rows: 3))
            var canvas = TextCanvas(size: screen.size)
            canvas.write("Žemlovka ⣿", at: CellPoint(column: 2, row: 1), style: TextStyle(.green, weight: .bold))
            screen.show(canvas)
            #expect(text(terminal, row: 1, columns: 20).hasPrefix("  Žemlovka ⣿"))
            let pen = tickit_mockterm_get_display_pen(terminal, 1, 3)
            #expect(tickit_pen_get_colour_attr(pen, TICKIT_PEN_FG) == 2)
            #expect(tickit_pen_get_bool_attr(pen, TICKIT_PEN_BOLD))
        }

        @Test func `the second picture costs only what differs`() throws {
            let (screen, terminal) = try open(columns: 20, rows: 3)
            defer { screen.close() }
            var canvas = TextCanvas(size: screen.size)
            canvas.write("12 left", at: CellPoint(column: 0, row: 0))
            screen.show(canvas)
            tickit_mockterm_clearlog(terminal)
            canvas.write("11 left", at: CellPoint(column: 0, row: 0))
            screen.show(canvas)
            let printed = (0..<tickit_mockterm_loglen(terminal)).compactMap { index -> String? in
                guard let entry = tickit_mockterm_peeklog(terminal, index), entry.pointee.type == LOG_PRINT else {
                    return nil
                }
                return entry.pointee.str.map { String(cString: $0) }
            }
            #expect(printed == ["1"])
            #expect(text(terminal, row: 0, columns: 7) == "11 left")
        }

        @Test func `a click, the wheel, keys and a new size are reported`() throws {
            let (screen, terminal) = try open(columns: 80, rows: 24)
            defer { screen.close() }
            var press = TickitMouseEventInfo(type: TICKIT_MOUSEEV_PRESS, button: 1, mod: 0, line: 9, col: 39)
            tickit_term_emit_mouse(terminal, &press)
            var wheel = TickitMouseEventInfo(type: TICKIT_MOUSEEV_WHEEL, button: 2, mod: 0, line: 1, col: 1)
            tickit_term_emit_mouse(terminal, &wheel)
            tickit_term_input_push_bytes(terminal, "q", 1)
            tickit_mockterm_resize(terminal, 5, 10)
            #expect(
                screen.wait(milliseconds: 0) == [
                    .press(CellPoint(column: 39, row: 9)), .wheel(notches: 1), .key(.text("q")),
                    .resized(CellSize(columns: 10, rows: 5)),
                ])
        }

        @Test func `a descriptor that can be read ends the wait`() throws {
            let (screen, _) = try open(columns: 80, rows: 24)
            defer { screen.close() }
            let event = try EventDescriptor()
            screen.watch(event.descriptor)
            event.signal()
            #expect(screen.wait(milliseconds: nil) == [.readable(event.descriptor)])
        }
    }
}
