import DeviceModel
import Glibc

/// Shows a watch to the person at this terminal, or to the program at the other end of a pipe.
public enum TerminalSession {
    /// The descriptors that a session reads and writes.
    public struct Descriptors: Equatable, Sendable {
        /// Where it reads.
        public var input: CInt
        /// Where it writes.
        public var output: CInt

        /// These descriptors; without arguments, standard input and output.
        public init(input: CInt = STDIN_FILENO, output: CInt = STDOUT_FILENO) {
            self.input = input
            self.output = output
        }

        /// What the two are, and the terminal's type as the environment names it.
        public var surroundings: DisplayMode.Surroundings {
            let type = getenv("TERM").map { String(cString: $0) } ?? ""
            let areTerminals = isatty(input) == 1 && isatty(output) == 1
            return DisplayMode.Surroundings(streams: areTerminals ? .terminal : .redirected, terminalType: type)
        }
    }

    /// Shows the watch until there is a reason to end, and leaves the terminal as it was. Whatever happens to the terminal, the
    /// device goes on running.
    ///
    /// - Parameters:
    ///   - device: the watch.
    ///   - name: the watch's name, which its case bears.
    ///   - mode: how to show it. Braille needs a terminal, and a type other than those that draw nothing.
    ///   - descriptors: where to read and write.
    /// - Throws: `.unusableTerminal`; `.systemCall`; in plain mode, `.commandFailed` for a command from a pipe or a file that
    ///   went wrong.
    public static func run(
        device: some WatchDevice, name: String, mode: DisplayMode, descriptors: Descriptors = Descriptors()
    ) throws(TerminalError) -> ExitReason {
        switch mode {
        case .plain:
            var session = PlainSession(device: device, descriptors: descriptors)
            return try session.run()
        case .braille:
            let type = descriptors.surroundings.terminalType
            return try runBraille(device: device, name: name, descriptors: descriptors, terminalType: type)
        }
    }

    /// Shows the watch as pixels until its user or a signal asks to end; the terminal is then as it was.
    ///
    /// - Parameters:
    ///   - device: the watch. It goes on running.
    ///   - name: the watch's name, which the case bears.
    ///   - descriptors: a terminal that draws braille, of the type given.
    /// - Throws: `.unusableTerminal`, `.systemCall`.
    static func runBraille(
        device: some WatchDevice, name: String, descriptors: Descriptors, terminalType: String,
        stopProgram: @escaping () -> Void = JobControl.stop
    ) throws(TerminalError) -> ExitReason {
        let signals = try SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT])
        defer { signals.close() }
        CrashGuard.start(descriptor: descriptors.output)
        defer { CrashGuard.stop() }
        let screen = try TickitScreen(input: descriptors.input, output: descriptors.output, type: terminalType)
        defer { screen.close() }
        // The library catches the change of size itself, but only hears of it if the signal reaches its own thread.
        signals.install()
        return BrailleSession(
            device: device, name: name, screen: screen, signals: signals, stopProgram: stopProgram
        ).run()
    }
}
