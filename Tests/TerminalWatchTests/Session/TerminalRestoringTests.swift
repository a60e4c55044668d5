import Glibc
import Testing
import Watch

@testable import TerminalWatch

extension TerminalTests {
    /// How a program that shows the watch ends, for its terminal. Each runs in a process of its own.
    @Suite struct TerminalRestoringTests {
        @Test func `SIGTERM leaves the terminal as it was`() async throws {
            let terminal = try Pseudoterminal(columns: 80, rows: 24)
            defer { terminal.close() }
            let before = terminal.modes
            let user = Task.detached { terminal.useUntilItEnds() }
            await #expect(processExitsWith: .exitCode(128 + SIGTERM)) { [path = terminal.path as String] in
                Child.run(at: path) { kill(getpid(), SIGTERM) }
            }
            terminal.endOfProgram()
            #expect(await user.value.contains("\u{1B}[?1049l"))
            #expect(terminal.modes == before)
        }

        @Test func `SIGQUIT leaves the terminal as it was`() async throws {
            let terminal = try Pseudoterminal(columns: 80, rows: 24)
            defer { terminal.close() }
            let before = terminal.modes
            let user = Task.detached { terminal.useUntilItEnds() }
            await #expect(processExitsWith: .exitCode(128 + SIGQUIT)) { [path = terminal.path as String] in
                Child.run(at: path) { kill(getpid(), SIGQUIT) }
            }
            terminal.endOfProgram()
            #expect(await user.value.contains("\u{1B}[?1049l"))
            #expect(terminal.modes == before)
        }

        @Test func `Ctrl-C leaves the terminal as it was`() async throws {
            let terminal = try Pseudoterminal(columns: 80, rows: 24)
            defer { terminal.close() }
            let before = terminal.modes
            let user = Task.detached { terminal.useUntilItEnds(key: "\u{3}") }
            await #expect(processExitsWith: .exitCode(0)) { [path = terminal.path as String] in
                Child.run(at: path) {}
            }
            terminal.endOfProgram()
            #expect(await user.value.contains("\u{1B}[?1049l"))
            #expect(terminal.modes == before)
        }

        @Test func `a crash leaves the terminal as it was`() async throws {
            let terminal = try Pseudoterminal(columns: 80, rows: 24)
            defer { terminal.close() }
            let before = terminal.modes
            let user = Task.detached { terminal.useUntilItEnds() }
            await #expect(processExitsWith: .signal(SIGSEGV)) { [path = terminal.path as String] in
                Child.run(at: path) { UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
            }
            terminal.endOfProgram()
            #expect(await user.value.contains("\u{1B}[?25h\u{1B}[?1049l"))
            #expect(terminal.modes == before)
        }

        @Test func `a trap leaves the terminal as it was`() async throws {
            let terminal = try Pseudoterminal(columns: 80, rows: 24)
            defer { terminal.close() }
            let before = terminal.modes
            let user = Task.detached { terminal.useUntilItEnds() }
            await #expect(processExitsWith: .failure) { [path = terminal.path as String] in
                Child.run(at: path) { fatalError("on purpose") }
            }
            terminal.endOfProgram()
            #expect(await user.value.contains("\u{1B}[?25h\u{1B}[?1049l"))
            #expect(terminal.modes == before)
        }
    }
}

/// The process that shows the watch.
private enum Child {
    /// Shows a watch at the terminal behind `path` and does `deed` when the side button is pressed.
    static func run(at path: String, deed: @escaping @Sendable () -> Void) -> Never {
        setsid()
        let descriptor = open(path, O_RDWR)
        do {
            let watch = try FakeWatch()
            watch.onSideButton = deed
            let reason = try TerminalSession.draw(
                device: watch, label: .sample, view: .automatic,
                descriptors: TerminalSession.Descriptors(input: descriptor, output: descriptor),
                terminalType: "xterm-256color")
            exit(reason.exitStatus)
        } catch {
            exit(99)
        }
    }
}

extension Pseudoterminal {
    /// What marks the end of the program's output, written by the test on the program's side.
    private static var end: String { "<the program has ended>" }

    /// Presses a key, the side button's, and returns all output until the program's end.
    fileprivate func useUntilItEnds(key: String = "s") -> String {
        let begin = output(until: "quit")
        type(key)
        return begin + output(until: Self.end)
    }

    fileprivate func endOfProgram() {
        _ = write(program, Self.end, Self.end.utf8.count)
    }
}
