import ArgumentParser
import CommandSupport
import Foundation
import Testing

@testable import tapline
@testable import tapline_lab

@Suite struct HelpTests {
    struct Command: Sendable, CustomTestStringConvertible {
        /// The command as the user types it, such as `tapline phone add`.
        var name: String
        var discussion: String

        var testDescription: String { name }

        static func all(from type: any ParsableCommand.Type, _ name: String) -> [Command] {
            let configuration = type.configuration
            let command = Command(name: name, discussion: configuration.discussion)
            return [command]
                + configuration.subcommands.flatMap { all(from: $0, "\(name) \($0.configuration.commandName ?? "")") }
        }

        var examples: [Substring] {
            let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false)
            return Array(lines.drop { $0 != "EXAMPLES" }.dropFirst())
        }
    }

    @Test(arguments: Command.all(from: Tapline.self, "tapline"))
    func `the help of every command of tapline ends with examples of it, and each is accepted`(command: Command) throws
    {
        try expectExamples(of: command, acceptedBy: Tapline.self)
    }

    @Test(arguments: Command.all(from: TaplineLab.self, "tapline"))
    func `the help of every command of tapline-lab ends with examples of it, and each is accepted`(command: Command)
        throws
    {
        try expectExamples(of: command, acceptedBy: TaplineLab.self)
    }

    private func expectExamples(of command: Command, acceptedBy root: any ParsableCommand.Type) throws {
        #expect(command.examples.contains { $0.hasPrefix("  \(command.name)") })
        for example in command.examples {
            let words = try #require(Self.words(of: String(example)), "\(example)")
            #expect(throws: Never.self, "\(example)") { try root.parseAsRoot(words) }
        }
    }

    /// Returns the arguments of the first `tapline` in a shell line, up to the next pipe or redirection. If the line
    /// has no `tapline`, returns an empty list for `printf`, and nil for any other command.
    private static func words(of line: String) -> [String]? {
        let words = shellWords(line)
        guard let command = words.firstIndex(of: "tapline") else { return words.first == "printf" ? [] : nil }
        return Array(words[(command + 1)...].prefix { !["|", ">", "&", "&&"].contains($0) })
    }

    /// Splits a shell line into words. Knows both kinds of quotes, but no escapes.
    private static func shellWords(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            switch (character, quote) {
            case (let mark, let open?) where mark == open: quote = nil
            case ("\"", nil), ("'", nil):
                quote = character
                word = word ?? ""
            case (" ", nil):
                if let word { words.append(word) }
                word = nil
            case _: word = (word ?? "") + String(character)
            }
        }
        return word.map { words + [$0] } ?? words
    }
}

@Suite struct CommandListTests {
    private static func texts(of folders: String...) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try folders.flatMap { folder in
            let path = root.appendingPathComponent(folder).path
            return try FileManager.default.subpathsOfDirectory(atPath: path).compactMap {
                try? String(contentsOfFile: "\(path)/\($0)", encoding: .utf8)
            }
        }
    }

    private static func types(below type: any ParsableCommand.Type) -> [String] {
        ["\(type)"] + type.configuration.subcommands.flatMap(types)
    }

    @Test func `every command in the sources is in the list of its parent`() throws {
        let listed = Set(Self.types(below: Tapline.self) + Self.types(below: TaplineLab.self))
        for text in try Self.texts(of: "Sources/tapline", "Sources/tapline-lab") {
            for match in text.matches(of: /struct (\w+): (?:AsyncParsableCommand|ParsableCommand|LabSubcommand)/) {
                #expect(listed.contains(String(match.1)), "\(match.1) is in no list of subcommands")
            }
        }
    }

    @Test func `every command of the phone is run by a test of the built command`() throws {
        let tests = try Self.texts(of: "Tests/EndToEnd").joined()
        for command in PhoneCommand.configuration.subcommands {
            let words = "phone \(try #require(command.configuration.commandName))"
            let isRun = tests.contains("\(words) ")
            #expect(isRun, "\(words)")
        }
    }
}

@Suite struct CommandSuggestionTests {
    @Test(arguments: [
        (["wacth"], "tapline watch"), (["phone", "ad"], "tapline phone add"), (["doktor", "--json"], "tapline doctor"),
        (["phone", "serv", "-v"], "tapline phone serve"), (["lap"], "tapline lab"),
        (["help", "wacth"], "tapline help watch"), (["help", "phone", "ad"], "tapline help phone add"),
    ])
    func `a command with a slip in its name is suggested`(arguments: [String], command: String) {
        #expect(CommandProgram.suggestedCommand(for: arguments, of: Tapline.self) == command)
    }

    @Test(arguments: [
        [], ["watch"], ["--jsno"], ["phone", "add", "wacth"], ["x"], ["photographs"], ["phone"], ["watch", "phone"],
        ["help"], ["help", "watch"], ["help", "phone", "add"],
    ])
    func `nothing is suggested where no name is wrong, and where none is like it`(arguments: [String]) {
        #expect(CommandProgram.suggestedCommand(for: arguments, of: Tapline.self) == nil)
    }
}

struct InertCompletionTests {
    @Test func `Names that a shell would read as more than text are not offered`() {
        let dangerous = [
            "$(touch x)", "`x`", "a\\b", "a\"b", "a'b", "a;b", "a|b", "a&b", "a>b", "a*", "a?", "[a]", "{a}", "~a",
            "!a", "#a", "a\nb", "a\tb", "a\u{1B}b",
        ]
        #expect(Completions.inert(dangerous) == [])
    }

    @Test func `Names of letters, digits and plain marks are`() {
        let plain = ["Milk", "Rye bread", "Jalapeño", "2 l, half-fat 1.5 %", "牛乳", "a/b", "score.home"]
        #expect(Completions.inert(plain) == plain)
    }
}
