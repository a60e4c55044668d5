import CTickit
import Glibc
import HostSystem

/// What a screen reports when it has waited.
enum ScreenEvent: Equatable {
    case key(KeyPress)
    /// The left mouse button went down over a cell.
    case press(CellPoint)
    /// The pointer moved to a cell while a button was down.
    case drag(CellPoint)
    /// A button went up.
    case release
    /// The wheel turned by one notch, down when positive.
    case wheel(notches: Int8)
    /// The terminal has another size now.
    case resized(CellSize)
    /// A watched descriptor can be read.
    case readable(CInt)
    /// The terminal has gone away.
    case hungUp
}

/// The terminal, by way of libtickit: this file is the only one that knows the library.
///
/// Not thread-safe: one thread creates, uses and closes it. Pictures are compared with the one that is shown, and only
/// the difference is sent.
final class TickitScreen {
    /// Whether the terminal is ours.
    private enum Phase {
        case open
        case closed
    }

    private let tickit: OpaquePointer
    private let terminal: OpaquePointer
    private let pen: OpaquePointer
    private let palette: Palette
    private var phase = Phase.open
    private var shown: TextCanvas?
    private var events: [ScreenEvent] = []
    private var timer: UnsafeMutableRawPointer?

    /// How colours are shown.
    private enum Palette {
        /// By their numbers.
        case colours
        /// A light background is reverse video.
        case monochrome
    }

    /// The type that a terminal of an unknown one is driven as.
    static let fallbackType = "xterm-256color"

    /// Takes over the terminal behind two descriptors.
    ///
    /// - Parameter type: its type, as in `TERM`; one that the system does not know is tried as `fallbackType`. It must
    ///   not be `dumb`, which the library does not survive.
    /// - Throws: `.unusableTerminal`.
    convenience init(input: CInt, output: CInt, type: String) throws(TerminalError) {
        let built =
            TickitScreen.build(input: input, output: output, type: type)
            ?? TickitScreen.build(input: input, output: output, type: TickitScreen.fallbackType)
        guard let built else { throw .unusableTerminal(type: type) }
        try self.init(tickit: built, type: type)
    }

    /// Takes over a terminal that exists already, such as the library's own stand-in; the screen owns it from now on.
    convenience init(terminal: OpaquePointer) throws(TerminalError) {
        guard let tickit = tickit_new_for_term(terminal) else { throw .unusableTerminal(type: "given") }
        try self.init(tickit: tickit, type: "given")
    }

    private init(tickit: OpaquePointer, type: String) throws(TerminalError) {
        guard let terminal = tickit_get_term(tickit), let pen = tickit_pen_new() else {
            tickit_unref(tickit)
            throw .unusableTerminal(type: type)
        }
        self.tickit = tickit
        self.terminal = terminal
        self.pen = pen
        var colours: CInt = 0
        let known = tickit_term_getctl_int(terminal, TICKIT_TERMCTL_COLORS, &colours)
        palette = known && colours < 8 ? .monochrome : .colours
        bindEvents()
        // The library switches to the alternate screen, and clears it, the first time it waits.
        tickit_tick(tickit, TICKIT_RUN_NOHANG)
    }

    private static func build(input: CInt, output: CInt, type: String) -> OpaquePointer? {
        var hook = TickitTerminfoHook()
        // Debian's entry for xterm has an SGR prefix as its mouse key. libtermkey 0.22 takes it for the older encoding
        // and reports wrong cells; without the entry it decodes both.
        hook.getstr = { name, value, _ in
            guard let name, strcmp(name, "key_mouse") == 0 else { return value }
            return nil
        }
        return withUnsafePointer(to: &hook) { hook in
            type.withCString { type in
                var builder = TickitBuilder()
                builder.term_builder.termtype = type
                builder.term_builder.open = TICKIT_OPEN_FDS
                builder.term_builder.input_fd = input
                builder.term_builder.output_fd = output
                builder.term_builder.ti_hook = hook
                return tickit_build(&builder)
            }
        }
    }

    /// The terminal's size in cells.
    var size: CellSize {
        var lines: CInt = 0
        var columns: CInt = 0
        tickit_term_get_size(terminal, &lines, &columns)
        return CellSize(columns: Int(columns), rows: Int(lines))
    }

    /// Gives the terminal back as it was.
    func close() {
        switch phase {
        case .closed: return
        case .open:
            phase = .closed
            clear()
            tickit_pen_unref(pen)
            tickit_unref(tickit)
        }
    }
}

// MARK: Waiting

extension TickitScreen {
    /// Reports from now on when `descriptor` can be read. The receiver of the report reads it empty.
    func watch(_ descriptor: CInt) {
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

    /// Waits until something happens, at most `timeout` milliseconds where one is given, and returns it.
    func wait(milliseconds timeout: Int?) -> [ScreenEvent] {
        // What happened outside of a wait, such as a new size that was asked for, does not wait for the next event.
        if events.isEmpty {
            if let timeout { startTimer(milliseconds: timeout) }
            tickit_tick(tickit, TICKIT_RUN_DEFAULT)
            if let timer { tickit_watch_cancel(tickit, timer) }
            timer = nil
        }
        if isHungUp { events.append(.hungUp) }
        defer { events = [] }
        return events
    }

    private func startTimer(milliseconds: Int) {
        timer = tickit_watch_timer_after_msec(
            tickit, CInt(clamping: milliseconds), TickitBindFlags(rawValue: 0),
            { _, flags, _, user in
                if flags.rawValue & TICKIT_EV_FIRE.rawValue != 0 { TickitScreen.from(user)?.timer = nil }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Whether the other end of the terminal is closed; the library would report it as input for ever.
    private var isHungUp: Bool {
        let descriptor = tickit_term_get_input_fd(terminal)
        return descriptor >= 0 && PolledDescriptor(descriptor, .end).polled().isReady
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
            events.append(.release)
        } else if info.type == TICKIT_MOUSEEV_WHEEL {
            events.append(.wheel(notches: info.button == CInt(TICKIT_MOUSEWHEEL_DOWN) ? 1 : -1))
        }
    }
}

// MARK: Drawing

extension TickitScreen {
    /// Shows `canvas`: sends what differs from the picture before it.
    func show(_ canvas: TextCanvas) {
        if shown == nil { clear() }
        for run in CanvasDifference.runs(from: shown, to: canvas) {
            tickit_term_goto(terminal, CInt(run.origin.row), CInt(run.origin.column))
            setPen(run.style)
            var text = run.text
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    tickit_term_printn(terminal, bytes.baseAddress, bytes.count)
                }
            }
        }
        tickit_term_flush(terminal)
        shown = canvas
    }

    /// Empties the screen. Before the terminal is given back, too: tmux 3.3 takes lines of the alternate screen over to
    /// the other one if the terminal has grown meanwhile.
    private func clear() {
        tickit_pen_clear(pen)
        tickit_term_setpen(terminal, pen)
        tickit_term_clear(terminal)
        tickit_term_goto(terminal, 0, 0)
    }

    /// Forgets what is shown, so that the next picture is sent whole.
    func invalidate() {
        shown = nil
    }

    /// Asks the system for the terminal's size: a signal said that it is another one now.
    func refreshSize() {
        tickit_term_refresh_size(terminal)
    }

    /// Gives the terminal back, calls `stop`, which returns when the program is to go on, and takes the terminal again.
    func suspend(during stop: () -> Void) {
        clear()
        tickit_term_pause(terminal)
        // Without this the shell would stay on the alternate screen: what gives the terminal back is still in a buffer.
        tickit_term_flush(terminal)
        stop()
        tickit_term_resume(terminal)
        refreshSize()
        invalidate()
    }

    private func setPen(_ style: TextStyle) {
        tickit_pen_clear(pen)
        tickit_pen_set_bool_attr(pen, TICKIT_PEN_BOLD, style.weight == .bold)
        switch palette {
        case .colours:
            if let colour = style.foreground {
                tickit_pen_set_colour_attr(pen, TICKIT_PEN_FG, CInt(colour.rawValue))
            }
            if let colour = style.background {
                tickit_pen_set_colour_attr(pen, TICKIT_PEN_BG, CInt(colour.rawValue))
            }
        case .monochrome:
            tickit_pen_set_bool_attr(pen, TICKIT_PEN_REVERSE, style.background != nil && style.background != .black)
        }
        tickit_term_setpen(terminal, pen)
    }
}
