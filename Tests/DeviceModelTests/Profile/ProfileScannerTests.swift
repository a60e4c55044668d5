import Testing

@testable import DeviceModel

/// What the parser is never given, because it would end the process or stop reading, and what it is.
@Suite struct ProfileScannerTests {
    private func error(_ text: String) -> String? {
        do throws(ProfileError) {
            _ = try ProfileScanner(text, file: "p.toml")
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        ("x = [ }", "p.toml:1: a profile has no arrays"),
        ("x = [\u{2028} 1]", "p.toml:1: a profile has no arrays"),
        ("x = {y = [1,\u{85}1]}", "p.toml:1: a profile has no arrays"),
        ("# µs\nx = 2020-01-01 1\n", "p.toml:2: 2020-01-01 is no number, and a text has to be in quotation marks"),
        ("x = 1__-1 12:00", "p.toml:1: 1__-1 is no number, and a text has to be in quotation marks"),
        ("x = 12:00:00", "p.toml:1: a comment or the end of the line has to be here, not ':'"),
        ("x = n\n\"y", "p.toml:1: n is no number, and a text has to be in quotation marks"),
        ("[[x]]", "p.toml:1: a profile has no arrays of tables: take one bracket"),
        ("\n[,x]", "p.toml:2: the name of a table has to follow its bracket"),
        ("[a.,x]", "p.toml:1: a key has to be here, not ','"),
        ("[a", "p.toml:1: ] has to be here, not the end of the file"),
        ("[a]]", "p.toml:1: a comment or the end of the line has to be here, not ']'"),
        ("[a] b = 1", "p.toml:1: a comment or the end of the line has to be here, not 'b'"),
        ("a.b. = 1", "p.toml:1: a key has to be here, not '='"),
        ("a\n= 1", "p.toml:1: = has to be here, not the end of the line"),
        ("a = \r\n", "p.toml:1: a value has to be here, not the end of the line"),
        ("a = _1", "p.toml:1: _1 is no number, and a text has to be in quotation marks"),
        ("a = --1", "p.toml:1: --1 is no number, and a text has to be in quotation marks"),
        ("a = {b = 1,}", "p.toml:1: a key has to be here, not '}'"),
        ("a = {b = 1\n}", "p.toml:1: a comma or } has to be here, not the end of the line"),
    ])
    func `What is no profile is refused in a line with its number`(text: String, expected: String) {
        #expect(error(text) == expected)
    }

    @Test(arguments: [
        ("a = 1\0\n", "p.toml:1: a comment or the end of the line has to be here, not U+0000"),
        ("#\0", "p.toml:1: the control character U+0000 has to be taken out"),
        ("\n# \u{1B}[2J", "p.toml:2: the control character U+001B has to be taken out"),
        ("a = \"\u{7F}\"", "p.toml:1: the control character U+007F has to be taken out"),
        ("a = '''\n\u{B}'''", "p.toml:2: the control character U+000B has to be taken out"),
        (
            "# a\r# b\r",
            "p.toml:1: a carriage return has to be followed by a line feed: end the lines as Unix does"
        ),
        ("\u{C}[a]", "p.toml:1: a key has to be here, not U+000C"),
        ("\u{A0}a = 1", "p.toml:1: a key has to be here, not U+00A0"),
        ("a = \u{2003}1", "p.toml:1: a value has to be here, not U+2003"),
        ("a = 1 \u{2028}", "p.toml:1: a comment or the end of the line has to be here, not U+2028"),
        ("µ = 1", "p.toml:1: a key has to be here, not U+00B5"),
        ("a = 1µ", "p.toml:1: a comment or the end of the line has to be here, not U+00B5"),
        ("\u{FEFF}\u{FEFF}a = 1", "p.toml:1: a key has to be here, not U+FEFF"),
        ("a = 1\n\u{1F600}", "p.toml:2: a key has to be here, not U+1F600"),
    ])
    func `A character that may not be there is named by its number`(text: String, expected: String) {
        #expect(error(text) == expected)
    }

    @Test(arguments: [
        ("a = \"b\n\"", 1), ("a = 'b\r\n'", 1), ("\na = \"b\\\"", 2), ("a = \"b\\", 1), ("\"a = 1", 1),
        ("a = '''b\n''", 1),
        ("\n\na = \"\"\"\n\\\"\"\"\n", 3), ("a = \"\"\"\\", 1),
    ])
    func `A text without an end is refused, in the line in which it begins`(text: String, line: Int) {
        #expect(error(text)?.hasPrefix("p.toml:\(line): a text ") == true)
    }

    @Test(arguments: [
        ("[" + String(repeating: "a.", count: 30_000), "p.toml:1: a key has at most 8 parts"),
        (String(repeating: "a.", count: 30_000) + "a = 1", "p.toml:1: a key has at most 8 parts"),
        ("a = " + String(repeating: "{a=", count: 20_000), "p.toml:1: braces go 8 deep at most"),
        (String(repeating: "[", count: 60_000), "p.toml:1: a profile has no arrays of tables: take one bracket"),
        (String(repeating: "[", count: 1 << 20), "p.toml: a profile has at most 65536 bytes"),
        ("a = " + String(repeating: "9", count: 65), "p.toml:1: a number has at most 64 characters"),
        (
            "a = 2020-01-01" + String(repeating: "_", count: 117) + " 12:00",
            "p.toml:1: a number has at most 64 characters"
        ),
    ])
    func `What is long or deep is refused`(text: String, expected: String) {
        #expect(error(text) == expected)
    }

    @Test(arguments: [
        "", "\u{FEFF}", "# 45 µs, ΔT, 時計, 👩‍🚀, \u{2028}, \u{85}, \u{A0}, \u{FEFF}",
        "a = \"µ \\\" [ } 2020-01-01 1 \\\\\" # b",
        "a = 'µ \\' # b",
        "a = \"\"\"µ \"\" \\\" ] # \n [,x]\r\n\"\"\"\"\" # b", "a = '''\nb\\''''", "a = \"\"", "a=''",
        "[ a . \"b c\" . 'd' ]\r\n\"e f\" . g = {h = 1, i.j = {}, k = { }}",
        "a = +1_000\nb = -0.5e-3\nc = 0x1F\nd = -inf\ne = true",
        "\t[a]\t\n \t b = 1", "a = 1e+5", "a = 1E-5",
    ])
    func `The part of TOML that profiles are written in is read, whatever is in comments and texts`(text: String) {
        #expect(error(text) == nil)
    }

    @Test func `Keys are found in their lines, also within braces and with line breaks of two characters`() throws {
        let text = "\r\na = 1\r\n[ b . 'c' ]\r\n# d\r\nd = { e = 1, f.g = '''\r\n''' }\r\n"
        let keys = try ProfileScanner(text, file: "p.toml").keys
        #expect(["a", "b.c", "b.c.d.e", "b.c.d.f.g"].map(keys.line(of:)) == [2, 3, 5, 5])
        #expect(keys.line(of: "b.c.x") == 3)
        #expect(keys.line(of: "x") == 5)
    }
}
