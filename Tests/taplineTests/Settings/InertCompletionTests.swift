import Testing

@testable import tapline

@Suite("What a shell is offered of others' names") struct InertCompletionTests {
    @Test("Names that a shell would read as more than text are not offered")
    func dangerous() {
        let dangerous = [
            "$(touch x)", "`x`", "a\\b", "a\"b", "a'b", "a;b", "a|b", "a&b", "a>b", "a*", "a?", "[a]", "{a}", "~a",
            "!a", "#a", "a\nb", "a\tb", "a\u{1B}b",
        ]
        #expect(Completions.inert(dangerous) == [])
    }

    @Test("Names of letters, digits and plain marks are")
    func plain() {
        let plain = ["Milk", "Rye bread", "Jalapeño", "2 l, half-fat 1.5 %", "牛乳", "a/b", "score.home"]
        #expect(Completions.inert(plain) == plain)
    }
}
