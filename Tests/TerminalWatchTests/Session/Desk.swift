import DeviceModel
import Glibc
import Testing
import WatchLink

@testable import TerminalWatch

/// The machine's time, as far as the user's reactions are concerned.
final class DeskClock {
    var now = Instant.start
}

final class Desk {
    let watch: FakeWatch
    let terminal: Pseudoterminal
    let screen: TickitScreen
    let signals: SignalPipe
    let session: ScreenSession<FakeWatch>
    let clock = DeskClock()

    init(
        columns: Int = 80, rows: Int = 24, view: ViewPreference = .automatic,
        graphics: TerminalGraphics = .none, type: String = "xterm"
    ) throws {
        watch = try FakeWatch()
        terminal = try Pseudoterminal(columns: columns, rows: rows)
        signals = try SignalPipe([SIGWINCH])
        screen = try TickitScreen(input: terminal.program, output: terminal.program, type: type)
        signals.install()
        session = ScreenSession(
            device: watch, label: .sample, view: view, graphics: graphics, screen: screen, signals: signals,
            time: { [clock] in clock.now }, stopProgram: {})
        session.start()
    }

    deinit {
        screen.close()
        signals.close()
        terminal.close()
    }

    /// Draws what has changed.
    func show() { _ = session.turn(milliseconds: 0) }

    /// Types `text` and lets the session take it.
    func type(_ text: String) -> ExitReason? {
        terminal.type(text)
        return session.turn(milliseconds: nil)
    }
}

/// The tests that use a terminal or signals, one after the other: both belong to the whole process.
@Suite(.serialized) struct TerminalTests {}
