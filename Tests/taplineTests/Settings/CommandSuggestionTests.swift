import Testing

@testable import tapline

@Suite struct CommandSuggestionTests {
    @Test(arguments: [
        (["wacth"], "tapline watch"), (["phone", "ad"], "tapline phone add"), (["doktor", "--json"], "tapline doctor"),
        (["phone", "serv", "-v"], "tapline phone serve"), (["lap"], "tapline lab"),
    ])
    func `a command with a slip in its name is suggested`(arguments: [String], command: String) {
        #expect(CommandSuggestion.suggestion(for: arguments)?.command == command)
    }

    @Test(arguments: [
        [], ["watch"], ["--jsno"], ["phone", "add", "wacth"], ["x"], ["photographs"], ["phone"], ["watch", "phone"],
    ])
    func `nothing is suggested where no name is wrong, and where none is like it`(arguments: [String]) {
        #expect(CommandSuggestion.suggestion(for: arguments) == nil)
    }

    @Test(arguments: [
        ("wacth", "watch", 1), ("ad", "add", 1), ("", "lab", 3), ("lab", "lab", 0), ("xyz", "lab", 3),
        ("servee", "serve", 1),
    ])
    func `letters that are wrong, missing, too many or changed count`(word: String, name: String, errors: Int) {
        #expect(CommandSuggestion.errors(in: word, for: name) == errors)
    }
}
