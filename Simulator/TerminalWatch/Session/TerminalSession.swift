import DeviceModel
import Glibc
import HostSystem

/// Shows a watch to the user of this terminal, or to the program at the other end of a pipe.
package enum TerminalSession {
    package struct Descriptors {
        package var input: CInt
        package var output: CInt

        package init(input: CInt = STDIN_FILENO, output: CInt = STDOUT_FILENO) {
            self.input = input
            self.output = output
        }

        package var environment: DisplayMode.Environment {
            let areTerminals = isatty(input) == 1 && isatty(output) == 1
            let type = getenv("TERM").map { String(cString: $0) }
            return DisplayMode.Environment(
                isTerminal: areTerminals, terminalType: type,
                abilities: TerminalAbilities(type: type))
        }
    }

    /// Shows the watch until the session ends. Then restores the terminal, and returns why the session ended. The watch keeps
    /// running.
    ///
    /// - Throws: `.unusableTerminal`; `.systemCall`; in plain mode also `.commandFailed`, if a command is wrong and the input
    ///   is not a terminal.
    package static func run(
        device: some WatchDevice, label: WatchLabel, mode: DisplayMode, descriptors: Descriptors = Descriptors()
    ) throws(TerminalError) -> ExitReason {
        switch mode {
        case .plain:
            var session = PlainSession(device: device, descriptors: descriptors)
            return try session.run()
        case .drawn(let view):
            let type = descriptors.environment.terminalType ?? TickitScreen.fallbackType
            return try draw(device: device, label: label, view: view, descriptors: descriptors, terminalType: type)
        }
    }

    static func draw(
        device: some WatchDevice, label: WatchLabel, view: ViewPreference, descriptors: Descriptors,
        terminalType: String,
        stopProgram: @escaping () -> Void = JobControl.stop
    ) throws(TerminalError) -> ExitReason {
        let signals = try SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT])
        defer { signals.close() }
        JobControl.awaitForeground(of: descriptors.output)
        CrashGuard.start(descriptor: descriptors.output)
        defer { CrashGuard.stop() }
        let probe = GraphicsProbe(input: descriptors.input, output: descriptors.output)
        let screen = try TickitScreen(input: descriptors.input, output: descriptors.output, type: terminalType)
        defer { screen.close() }
        screen.take(typed: probe.typed)
        // The library handles a change of the terminal's size itself, but only if the signal reaches its own thread.
        signals.install()
        return ScreenSession(
            device: device, label: label, view: view, graphics: probe.graphics, remark: probe.remark(wanting: view),
            screen: screen, signals: signals, stopProgram: stopProgram
        ).run()
    }
}

package enum ExitReason: Equatable {
    case asked
    /// SIGTERM, SIGHUP or SIGQUIT. After SIGINT, the reason is `asked`.
    case signal(CInt)
    case terminalGone
    case watchFailed(reason: String)

    /// 0 if the user ended the session, 1 if the watch failed, or 128 plus the signal's number, as shells report it. A closed
    /// terminal counts as SIGHUP, the signal that the system sends then.
    package var exitStatus: CInt {
        switch self {
        case .asked: 0
        case .watchFailed: 1
        case .terminalGone: 128 + SIGHUP
        case .signal(let number): 128 + number
        }
    }
}

package enum TerminalError: Error, Equatable, CustomStringConvertible {
    /// The terminal library supports neither this type nor `xterm-256color`.
    case unusableTerminal(type: String)
    case systemCall(String, errno: CInt)
    case commandFailed(String)

    init(_ error: HostSystemError) { self = .systemCall(error.call, errno: error.reason.rawValue) }

    package var description: String {
        switch self {
        case .unusableTerminal(let type):
            "a terminal of the type '\(type)' cannot be driven, nor as xterm-256color; try --plain"
        case .systemCall(let call, let number): "\(call): \(String(cString: strerror(number)))"
        case .commandFailed(let text): text
        }
    }
}
