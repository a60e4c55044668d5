import Testing

@testable import tapline

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
