import DeviceModel
import Glibc
import Testing
import WatchLink

@testable import TerminalWatch

/// The clock with which the session measures the user's reactions. It stands still until a test changes it.
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

    func show() { _ = session.turn(milliseconds: 0) }

    func type(_ text: String) -> ExitReason? {
        terminal.type(text)
        return session.turn(milliseconds: nil)
    }
}

/// The parent suite of all tests that use a terminal or signals. They run one at a time, because they change the state
/// of the whole process.
@Suite(.serialized) struct TerminalTests {}
