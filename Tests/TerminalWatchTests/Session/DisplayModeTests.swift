import Testing

@testable import TerminalWatch

struct DisplayModeTests {
    private func mode(
        _ type: String?, _ preference: DisplayMode.Preference = .automatic, isTerminal: Bool = true
    ) -> DisplayMode {
        DisplayMode(
            preference: preference,
            environment: DisplayMode.Environment(
                isTerminal: isTerminal, terminalType: type, abilities: TerminalAbilities(type: type)))
    }

    @Test(arguments: ["xterm", "xterm-256color", "screen", "tmux-256color", "rxvt", "no-such-terminal"])
    func `a terminal is drawn on`(type: String) {
        #expect(mode(type) == .drawn(.automatic))
    }

    @Test(arguments: ["dumb", "", nil, "unknown", "linux", "vt100", "vt220", "ansi"])
    func `a terminal that cannot be drawn on is written to in lines`(type: String?) {
        #expect(mode(type) == .plain)
    }

    @Test func `a pipe is written to in lines`() {
        #expect(mode("xterm", isTerminal: false) == .plain)
    }

    @Test func `the user's preference comes first, where it can be met`() {
        let braille = DisplayMode.drawn(.always(.braille))
        #expect(mode("xterm", .always(.plain)) == .plain)
        #expect(mode("linux", .always(braille)) == braille)
        #expect(mode("xterm", .always(.drawn(.always(.text)))) == .drawn(.always(.text)))
        #expect(mode("dumb", .always(braille)) == .plain)
        #expect(mode("vt100", .always(braille)) == .plain)
        #expect(mode("xterm", .always(braille), isTerminal: false) == .plain)
    }
}
