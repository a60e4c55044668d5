import CommandSupport
import Testing

@testable import tapline

@Suite struct CommandSuggestionTests {
    @Test(arguments: [
        (["wacth"], "tapline watch"), (["phone", "ad"], "tapline phone add"), (["doktor", "--json"], "tapline doctor"),
        (["phone", "serv", "-v"], "tapline phone serve"), (["lap"], "tapline lab"),
        (["help", "wacth"], "tapline help watch"), (["help", "phone", "ad"], "tapline help phone add"),
    ])
    func `a command with a slip in its name is suggested`(arguments: [String], command: String) {
        #expect(CommandSuggestion.suggestion(for: arguments, of: Tapline.self)?.command == command)
    }

    @Test(arguments: [
        [], ["watch"], ["--jsno"], ["phone", "add", "wacth"], ["x"], ["photographs"], ["phone"], ["watch", "phone"],
        ["help"], ["help", "watch"], ["help", "phone", "add"],
    ])
    func `nothing is suggested where no name is wrong, and where none is like it`(arguments: [String]) {
        #expect(CommandSuggestion.suggestion(for: arguments, of: Tapline.self) == nil)
    }
}
