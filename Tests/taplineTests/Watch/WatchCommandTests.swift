import CommandSupport
import DeviceModel
import Foundation
import Testing

@testable import tapline

/// A watch that is started without a standard input or output does not take its flash file for one of them.
@Suite(.timeLimit(.minutes(60))) struct ClosedTerminalTests {
    private let tool: PhoneTool
    private var flash: String { "\(tool.directory)/watch.flash" }

    init() throws {
        tool = try PhoneTool()
    }

    private func watch(_ redirection: String, _ arguments: String...) async throws -> PhoneTool.Result {
        try await tool.launch(
            ["watch", "--sockets", tool.sockets, "--flash", flash] + arguments, input: "describe\nquit\n",
            through: ["/bin/sh", "-c", "exec \"$@\" \(redirection)", "sh"])
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: flash)) }

    @Test(arguments: [["--headless", "--script", "-"], ["--plain"]])
    func `what would be printed is not written to the flash`(mode: [String]) async throws {
        let printed = try await watch("", "--headless", "--script", "-")
        #expect(printed.status == 0)
        let line = try #require(printed.lines.first)
        for redirection in [">&-", ">&- 2>&-", "<&- >&- 2>&-"] {
            _ = try await tool.launch(
                ["watch", "--sockets", tool.sockets, "--flash", flash] + mode, input: "describe\nquit\n",
                through: ["/bin/sh", "-c", "exec \"$@\" \(redirection)", "sh"])
            #expect(try bytes().range(of: Data(line.utf8)) == nil, "\(redirection)")
            #expect(try await watch("", "--headless", "--script", "-").output == printed.output, "\(redirection)")
        }
    }

    @Test func `the flash is not read as a script`() async throws {
        _ = try await watch("", "--headless", "--script", "-")
        let before = try bytes()
        let result = try await watch("<&-", "--plain")
        #expect(!result.error.contains("unknown command"))
        #expect(try bytes().count == before.count)
    }
}

@Suite struct ProfileChoiceTests {
    @Test func `A built-in profile is chosen by its name`() throws {
        for profile in DeviceProfile.builtIn {
            #expect(try ProfileChoice(named: profile.name).profile == profile)
        }
    }

    @Test(arguments: [
        ("pebble", "no profile 'pebble': choose memory-lcd, colour-spi, instant, or a file such as ./profile.json5"),
        ("no/such.json5", "no/such.json5: the profile cannot be read (No such file or directory)"),
    ])
    func `What is no profile is said in one line`(argument: String, expected: String) {
        let error = #expect(throws: (any Error).self) { _ = try ProfileChoice(named: argument) }
        #expect(error.map { "\($0)" } == expected)
    }

    @Test func `Firmware takes its own time`() {
        #expect(throws: (any Error).self) { _ = try WatchCommand.parse(["--firmware", "--profile", "memory-lcd"]) }
        #expect(throws: Never.self) { _ = try WatchCommand.parse(["--profile", "memory-lcd"]) }
    }
}
