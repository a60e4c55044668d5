import CTickit
import DeviceModel
import Glibc
import HostSystem

package enum ScreenEvent: Equatable {
    case key(KeyPress)
    case press(CellPoint)
    case drag(CellPoint)
    case release(CellPoint)
    case wheel(notches: Int8)
    case pasted
    case resized(CellSize)
    case readable(CInt)
    case hungUp
}

/// The terminal, controlled with libtickit. Only this file uses that library.
///
/// Not thread-safe: one thread must create, use and close it. It sends only the cells that differ from the shown picture.
package final class TickitScreen {
    private let tickit: OpaquePointer
    private let terminal: OpaquePointer
    private let pen: OpaquePointer
    /// Whether to use colours. Without them, a light background becomes reverse video.
    private let hasColours: Bool
    /// Whether this class must turn mouse reports on. For a terminal type from the terminal database, the library sets only the
    /// format of the reports.
    private var setsMouseModes = false
    private var isClosed = false
    private var shown: TextCanvas?
    private var shownImage: PanelImage?
    private var events: [ScreenEvent] = []
    private var timer: UnsafeMutableRawPointer?
    /// The terminal's input, nil for the library's mock terminal. This class reads the input itself, because the library would
    /// treat pastes and the terminal's answers as keys.
    private let source: CInt?
    private var raw: RawInput?
    private var input = TerminalInput()
    private let clock = HostClock()

    /// Turns terminal modes on or off: bracketed paste (2004) and, if `setsMouseModes`, mouse reports. Mode 1002 reports
    /// buttons, and movements with a button down. Mode 1006 (SGR) makes the reports decimal. xterm and other terminals have
    /// these modes.
    private func setModes(_ areWanted: Bool) {
        guard source != nil else { return }
        send(areWanted ? "\u{1B}[?2004h" : "\u{1B}[?2004l")
        if setsMouseModes { send(areWanted ? "\u{1B}[?1002h\u{1B}[?1006h" : "\u{1B}[?1002l\u{1B}[?1006l") }
    }

    package static let fallbackType = "xterm-256color"

    /// Uses `fallbackType` if the library does not know `type`. The type must not be `dumb`, because the library then crashes.
    package convenience init(input: CInt, output: CInt, type: String) throws(TerminalError) {
        let built =
            TickitScreen.build(output: output, type: type)
            ?? TickitScreen.build(output: output, type: TickitScreen.fallbackType)
        guard let built else { throw .unusableTerminal(type: type) }
        // No colours if NO_COLOR is set and not empty (no-color.org).
        let refusesColours = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        try self.init(tickit: built, source: input, type: type, hasColours: !refusesColours)
    }

    /// Takes ownership of the terminal. Tests use this with the library's mock terminal.
    convenience init(terminal: OpaquePointer, hasColours: Bool = true) throws(TerminalError) {
        guard let tickit = tickit_new_for_term(terminal) else { throw .unusableTerminal(type: "given") }
        try self.init(tickit: tickit, source: nil, type: "given", hasColours: hasColours)
    }

    private init(
        tickit: OpaquePointer, source: CInt?, type: String, hasColours: Bool
    ) throws(TerminalError) {
        guard let terminal = tickit_get_term(tickit), let pen = tickit_pen_new() else {
            tickit_unref(tickit)
            throw .unusableTerminal(type: type)
        }
        self.tickit = tickit
        self.terminal = terminal
        self.pen = pen
        self.source = source
        raw = source.map { RawInput($0) }
        raw?.start()
        var colours: CInt = 0
        let known = tickit_term_getctl_int(terminal, TICKIT_TERMCTL_COLORS, &colours)
        self.hasColours = hasColours && !(known && colours < 8)
        bindEvents()
        // In its first wait, the library switches to the alternate screen and clears it.
        tickit_tick(tickit, TICKIT_RUN_NOHANG)
        var mode: CInt = 0
        setsMouseModes = !(tickit_term_getctl_int(terminal, TICKIT_TERMCTL_MOUSE, &mode) && mode != 0)
        guard let source else { return }
        watch(source)
        // The library sets two modes that it never resets and that this program does not need: side margins and the application
        // keypad.
        send("\u{1B}[?69l\u{1B}>")
        setModes(true)
    }

    private static var nothing: UnsafePointer<CChar>? {
        let text: StaticString = ""
        return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    private static func build(output: CInt, type: String) -> OpaquePointer? {
        var hook = TickitTerminfoHook()
        // Debian's entry for xterm has an SGR prefix as its mouse key. libtermkey 0.22 misreads that as the older format and
        // reports wrong cells; without the entry, it decodes both formats. The library also ends the program if an entry lacks
        // a text that it expects, such as the text that inserts characters. This program uses only the abilities in
        // `TerminalAbilities`, so an empty text is enough.
        hook.getstr = { name, value, _ in
            guard let name else { return value }
            if strcmp(name, "key_mouse") == 0 { return nil }
            if value == nil, strncmp(name, "key_", 4) != 0 { return TickitScreen.nothing }
            return value
        }
        return withUnsafePointer(to: &hook) { hook in
            type.withCString { type in
                var builder = TickitBuilder()
                builder.term_builder.termtype = type
                builder.term_builder.open = TICKIT_OPEN_FDS
                builder.term_builder.input_fd = -1
                builder.term_builder.output_fd = output
                builder.term_builder.ti_hook = hook
                return tickit_build(&builder)
            }
        }
    }

    package var size: CellSize {
        var lines: CInt = 0
        var columns: CInt = 0
        tickit_term_get_size(terminal, &lines, &columns)
        return CellSize(columns: Int(columns), rows: Int(lines))
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        clear()
        setModes(false)
        tickit_pen_unref(pen)
        tickit_unref(tickit)
        raw?.stop()
    }
}

extension TickitScreen {
    /// Makes `wait` return `.readable` when the descriptor is readable. The caller of `wait` must then drain the descriptor.
    package func watch(_ descriptor: CInt) {
        // The library passes the descriptor with the event.
        tickit_watch_io(
            tickit, descriptor, TICKIT_IO_IN, TickitBindFlags(rawValue: 0),
            { _, flags, info, user in
                guard flags.rawValue & TICKIT_EV_FIRE.rawValue != 0, let info else { return 0 }
                let watched = info.assumingMemoryBound(to: TickitIOWatchInfo.self).pointee
                TickitScreen.from(user)?.events.append(.readable(watched.fd))
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Waits until an event comes or the timeout ends, and returns the events. Nil means no timeout. May return early without
    /// an event.
    package func wait(milliseconds timeout: Int?) -> [ScreenEvent] {
        // The time after which a single ESC counts as a key.
        let escape = Int(tickit_term_input_check_timeout_msec(terminal))
        let timeout = escape < 0 ? timeout : min(escape, timeout ?? escape)
        // An event that came outside a wait, such as a new size, must be returned at once.
        if events.isEmpty {
            if let timeout { startTimer(milliseconds: timeout) }
            tickit_tick(tickit, TICKIT_RUN_DEFAULT)
            if let timer { tickit_watch_cancel(tickit, timer) }
            timer = nil
        }
        if let source, let index = events.firstIndex(of: .readable(source)) {
            events.remove(at: index)
            readInput(source)
        }
        if isHungUp { events.append(.hungUp) }
        defer { events = [] }
        return events
    }

    private func readInput(_ source: CInt) {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(source, &bytes, bytes.count)
        if count > 0 { take(typed: bytes[..<count]) }
    }

    private func startTimer(milliseconds: Int) {
        timer = tickit_watch_timer_after_msec(
            tickit, CInt(clamping: milliseconds), TickitBindFlags(rawValue: 0),
            { _, flags, _, user in
                if flags.rawValue & TICKIT_EV_FIRE.rawValue != 0 { TickitScreen.from(user)?.timer = nil }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Whether the other end of the input is closed. The library would treat that as endless input.
    private var isHungUp: Bool {
        source.map { PolledDescriptor($0, .end).polled().isReady } ?? false
    }

    private static func from(_ user: UnsafeMutableRawPointer?) -> TickitScreen? {
        user.map { Unmanaged<TickitScreen>.fromOpaque($0).takeUnretainedValue() }
    }

    private func bindEvents() {
        let this = Unmanaged.passUnretained(self).toOpaque()
        tickit_term_bind_event(
            terminal, TICKIT_TERM_ON_KEY, TickitBindFlags(rawValue: 0),
            { _, flags, info, user in
                guard flags.rawValue & TICKIT_EV_FIRE.rawValue != 0, let info else { return 0 }
                TickitScreen.from(user)?.took(key: info.assumingMemoryBound(to: TickitKeyEventInfo.self).pointee)
                return 1
            }, this)
        tickit_term_bind_event(
            terminal, TICKIT_TERM_ON_MOUSE, TickitBindFlags(rawValue: 0),
            { _, flags, info, user in
                guard flags.rawValue & TICKIT_EV_FIRE.rawValue != 0, let info else { return 0 }
                TickitScreen.from(user)?.took(mouse: info.assumingMemoryBound(to: TickitMouseEventInfo.self).pointee)
                return 1
            }, this)
        tickit_term_bind_event(
            terminal, TICKIT_TERM_ON_RESIZE, TickitBindFlags(rawValue: 0),
            { _, flags, _, user in
                guard flags.rawValue & TICKIT_EV_FIRE.rawValue != 0, let screen = TickitScreen.from(user) else {
                    return 0
                }
                screen.events.append(.resized(screen.size))
                return 1
            }, this)
    }

    private func took(key info: TickitKeyEventInfo) {
        guard let text = info.str else { return }
        let name = String(cString: text)
        events.append(.key(info.type == TICKIT_KEYEV_TEXT ? .text(name) : .named(name)))
    }

    private func took(mouse info: TickitMouseEventInfo) {
        let point = CellPoint(column: Int(info.col), row: Int(info.line))
        if info.type == TICKIT_MOUSEEV_PRESS && info.button == 1 {
            events.append(.press(point))
        } else if info.type == TICKIT_MOUSEEV_DRAG {
            events.append(.drag(point))
        } else if info.type == TICKIT_MOUSEEV_RELEASE {
            events.append(.release(point))
        } else if info.type == TICKIT_MOUSEEV_WHEEL {
            events.append(.wheel(notches: info.button == CInt(TICKIT_MOUSEWHEEL_DOWN) ? 1 : -1))
        }
    }
}

extension TickitScreen {
    package func show(_ canvas: TextCanvas) { show(canvas, nil) }

    func show(_ canvas: TextCanvas, _ image: PanelImage?) {
        if shown == nil { clear() }
        if let gone = shownImage, gone.place != image?.place || gone.type != image?.type { removeImage(gone) }
        let runs = CanvasDifference.runs(from: shown, to: canvas)
        for run in runs {
            tickit_term_goto(terminal, CInt(run.origin.row), CInt(run.origin.column))
            setPen(run.style)
            send(run.text)
        }
        if let image { show(image, over: runs) }
        tickit_term_flush(terminal)
        shown = canvas
        shownImage = image
    }

    /// Sends the rows of the image that have changed, or all of its rows if `runs` has overwritten a part of the image.
    private func show(_ image: PanelImage, over runs: [CellRun]) {
        let isOverwritten = runs.contains { run in
            let columns = TextPieces(run.text).columns
            let cells = CellRect(column: run.origin.column, row: run.origin.row, columns: columns, rows: 1)
            return cells.columnRange.overlaps(image.place.columnRange) && cells.rowRange.overlaps(image.place.rowRange)
        }
        for rows in image.changedRows(from: isOverwritten ? nil : shownImage) {
            switch image.type {
            case .sixel:
                send(TickitScreen.cursor(to: image.place.origin, row: rows.lowerBound))
                send(SixelPicture.text(image, rows: rows))
            case .kitty: send(KittyPicture.text(image, rows: rows) { TickitScreen.cursor(to: $0) })
            }
        }
    }

    /// Removes the image, and marks the cells under it as unknown, so that `show` sends them again.
    private func removeImage(_ image: PanelImage) {
        if image.type == .kitty { send(KittyPicture.removal(of: image)) }
        shown?.fill(image.place, with: "\u{FFFD}", style: .decoration)
        shownImage = nil
    }

    private static func cursor(to point: CellPoint, row: Int = 0) -> String {
        "\u{1B}[\(point.row + row + 1);\(point.column + 1)H"
    }

    package func print(_ text: String, at point: CellPoint) {
        send(TickitScreen.cursor(to: point))
        send(text)
        tickit_term_flush(terminal)
    }

    package func send(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                tickit_term_printn(terminal, bytes.baseAddress, bytes.count)
            }
        }
    }

    /// Clears the screen. Also called before the terminal is restored, because tmux 3.3 moves lines of the alternate screen to
    /// the main one if the terminal has grown.
    private func clear() {
        if let shownImage { removeImage(shownImage) }
        tickit_pen_clear(pen)
        tickit_term_setpen(terminal, pen)
        tickit_term_clear(terminal)
        tickit_term_goto(terminal, 0, 0)
    }

    package func invalidate() {
        shown = nil
    }

    /// The size of a cell in pixels, from the terminal's driver. Nil if it is unknown.
    package var cellSize: PixelSize? { GraphicsProbe.cell(of: tickit_term_get_output_fd(terminal)) }

    /// Handles bytes as if they were typed at this moment.
    package func take(typed bytes: some Sequence<UInt8>) {
        for part in input.take(bytes, at: clock.outside) {
            switch part {
            case .pasted: events.append(.pasted)
            case .typed(let bytes):
                // The library buffers 256 bytes and drops the rest, so each byte is pushed by itself.
                for byte in bytes {
                    var byte = CChar(bitPattern: byte)
                    tickit_term_input_push_bytes(terminal, &byte, 1)
                }
            }
        }
    }

    /// Reads the terminal's size again. If the size has changed, `wait` returns `.resized`.
    package func refreshSize() {
        tickit_term_refresh_size(terminal)
    }

    package func suspend(during stop: () -> Void) {
        clear()
        setModes(false)
        tickit_term_pause(terminal)
        // The sequences that restore the terminal are still in a buffer. Without this flush, the shell would stay on the
        // alternate screen.
        tickit_term_flush(terminal)
        raw?.stop()
        stop()
        raw?.start()
        tickit_term_resume(terminal)
        setModes(true)
        refreshSize()
        invalidate()
    }

    private func setPen(_ style: TextStyle) {
        tickit_pen_clear(pen)
        tickit_pen_set_bool_attr(pen, TICKIT_PEN_BOLD, style.weight == .bold)
        if hasColours {
            if let colour = style.foreground {
                tickit_pen_set_colour_attr(pen, TICKIT_PEN_FG, CInt(colour.rawValue))
            }
            if let colour = style.background {
                tickit_pen_set_colour_attr(pen, TICKIT_PEN_BG, CInt(colour.rawValue))
            }
        } else {
            tickit_pen_set_bool_attr(pen, TICKIT_PEN_REVERSE, style.background != nil && style.background != .black)
        }
        tickit_term_setpen(terminal, pen)
    }
}
