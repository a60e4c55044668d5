import Testing

@testable import StyleRules

@Suite struct EmbeddedSubsetTests {
    @Test(arguments: [
        "final class Cache {}",
        "actor Cache {}",
        "func f(_ board: any Board) {}",
        "func f() throws {}",
        "func f(_ body: () throws -> Void) {}",
        "func f(_ body: () -> Void) rethrows {}",
        "func f() async {}",
        "indirect enum E { case a }",
        "let names: [Int]",
        "let names: [Int: Int]",
        "let name: String",
        "let names = Array(x)",
        "struct S: Codable {}",
        "let path = \\S.count",
    ])
    func whatTheWatchLacksIsReported(_ text: String) {
        for path in ["Hardware/Watch/List/A.swift", "Sources/WatchLink/A.swift"] {
            #expect(reports(EmbeddedSubset(), text, at: path) == ["1: embedded-subset"])
        }
        #expect(reports(EmbeddedSubset(), text, at: "Sources/Wormhole/A.swift") == [])
    }

    @Test(arguments: [
        "/// An Array of any class, async.\nlet x = 1",
        "func f() throws(LinkError) {}",
        "func f<E: Error>(_ body: () throws(E) -> Void) throws(E) {}",
        "func f(_ board: some Board) {}",
        "let name: StaticString = \"String\"",
        "let row: InlineArray<4, UInt8> = [1, 2, 3, 4]",
        "let row: [4 of UInt8]",
        "let any = 1",
    ])
    func whatTheWatchHasIsFine(_ text: String) {
        #expect(reports(EmbeddedSubset(), text, at: "Hardware/Watch/A.swift") == [])
    }
}
