import DeviceModel
import Glibc
import HostSystem

/// Shows a watch to the person at this terminal, or to the program at the other end of a pipe.
package enum TerminalSession {
    /// The descriptors that a session reads and writes.
    package struct Descriptors {
        var input: CInt
        var output: CInt

        /// Without arguments, standard input and output.
        package init(input: CInt = STDIN_FILENO, output: CInt = STDOUT_FILENO) {
            self.input = input
            self.output = output
        }

        /// What is known of the terminal behind them.
        package var environment: DisplayMode.Environment {
            let areTerminals = isatty(input) == 1 && isatty(output) == 1
            let type = getenv("TERM").map { String(cString: $0) }
            return DisplayMode.Environment(
                streams: areTerminals ? .terminal : .redirected, terminalType: type,
                abilities: TerminalAbilities(type: type))
        }
    }

    /// Shows the watch until there is a reason to end, and leaves the terminal as it was. The device goes on running.
    ///
    /// - Parameters:
    ///   - label: what is written on the watch's case.
    ///   - mode: drawing needs a terminal that can be drawn on: see `DisplayMode.init`.
    /// - Throws: `.unusableTerminal`; `.systemCall`; in plain mode, `.commandFailed` for a command from a pipe or a
    ///   file that went wrong.
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
        CrashGuard.start(descriptor: descriptors.output)
        defer { CrashGuard.stop() }
        let probe = GraphicsProbe(input: descriptors.input, output: descriptors.output)
        let screen = try TickitScreen(input: descriptors.input, output: descriptors.output, type: terminalType)
        defer { screen.close() }
        screen.take(typed: probe.typed)
        // The library catches the change of size itself, but it only notices if the signal reaches its own thread.
        signals.install()
        return ScreenSession(
            device: device, label: label, view: view, graphics: probe.graphics, remark: probe.remark(wanting: view),
            screen: screen, signals: signals, stopProgram: stopProgram
        ).run()
    }
}

/// Why a session ended.
package enum ExitReason: Equatable {
    /// The user asked for it, or the input came to an end.
    case asked
    /// A signal asked for it: SIGTERM, SIGHUP or SIGQUIT. (SIGINT is how the terminal says Ctrl-C: the user asked.)
    case signal(CInt)
    /// The terminal has gone away.
    case terminalGone
    /// The hardware under the watch's program ended by itself: why, in one line.
    case watchFailed(reason: String)

    /// 0, 1 for a failure, or 128 and the signal's number, as a shell reports a program that a signal killed. A
    /// terminal that has gone away counts as SIGHUP, which it sends to the programs that it controls.
    package var exitStatus: CInt {
        switch self {
        case .asked: 0
        case .watchFailed: 1
        case .terminalGone: 128 + SIGHUP
        case .signal(let number): 128 + number
        }
    }
}

/// Why the watch cannot be shown in a terminal.
package enum TerminalError: Error, Equatable, CustomStringConvertible {
    /// Neither the terminal's own type nor `xterm-256color` can be driven.
    case unusableTerminal(type: String)
    /// A call of the operating system failed: its name, and the errno it left.
    case systemCall(String, errno: CInt)
    /// A command on standard input failed; the text says which one and why.
    case commandFailed(String)

    /// A failed call of the operating system.
    init(_ error: HostSystemError) { self = .systemCall(error.call, errno: error.reason.rawValue) }

    /// One line for a person.
    package var description: String {
        switch self {
        case .unusableTerminal(let type):
            "a terminal of the type '\(type)' cannot be driven, nor as xterm-256color; try --plain"
        case .systemCall(let call, let number): "\(call): \(String(cString: strerror(number)))"
        case .commandFailed(let text): text
        }
    }
}
