import Testing

@testable import TerminalWatch

struct DisplayModeTests {
    private func mode(
        _ type: String?, _ streams: DisplayMode.Environment.Streams = .terminal,
        _ preference: DisplayMode.Preference = .automatic
    ) -> DisplayMode {
        DisplayMode(
            preference: preference, environment: DisplayMode.Environment(streams: streams, terminalType: type))
    }

    @Test(arguments: ["xterm", "xterm-256color", "screen", "tmux-256color", "no-such-terminal"])
    func `a terminal shows pixels`(type: String) {
        #expect(mode(type) == .braille)
    }

    @Test(arguments: ["dumb", "", nil, "unknown", "linux"])
    func `a terminal that cannot draw braille is written to in lines`(type: String?) {
        #expect(mode(type) == .plain)
    }

    @Test func `a pipe is written to in lines`() {
        #expect(mode("xterm", .redirected) == .plain)
    }

    @Test func `the user's preference comes first, where it can be met`() {
        #expect(mode("xterm", .terminal, .always(.plain)) == .plain)
        #expect(mode("linux", .terminal, .always(.braille)) == .braille)
        #expect(mode("dumb", .terminal, .always(.braille)) == .plain)
        #expect(mode("xterm", .redirected, .always(.braille)) == .plain)
    }
}
