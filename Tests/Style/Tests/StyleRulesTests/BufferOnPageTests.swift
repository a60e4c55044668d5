import Testing

@testable import StyleRules

@Suite struct BufferOnPageTests {
    private func reports(_ text: String, page: String) -> [String] {
        let file = SourceFile(path: "Sources/Wormhole/Sample.swift", text: text)
        let pages = [Page(path: "Tests/BUFFERS.md", text: page)]
        return violations(of: [BufferOnPage()], in: [file], pages: pages).map { "\($0.path):\($0.line)" }
    }

    static let buffers = [
        "struct A { var queue: [Int] = [] }", "final class A { private var table: [Int: Int] = [:] }",
        "enum A { struct B { var seen: Set<Int> = [] } }", "final class A { let queue = Mutex<[Int]>([]) }",
        "let (a, b) = AsyncStream.makeStream(of: Int.self)", "let a = AsyncStream<Int> { _ in }",
    ]

    @Test(arguments: buffers) func aBufferThatIsNotOnThePageIsReported(_ text: String) {
        #expect(reports(text, page: "## Buffers") == ["Sources/Wormhole/Sample.swift:1"])
    }

    @Test func aBufferOnThePageIsFine() {
        let row = "## Buffers\n| `Sources/Wormhole/Sample.swift` | `queue` | 3 | waits |"
        #expect(reports("struct A { var queue: [Int] = [] }", page: row) == [])
        #expect(reports("struct A { var other: [Int] = [] }", page: row).count == 2)
    }

    @Test func aFolderOfExceptionsIsFine() {
        let row = "## Not buffers\n| `Sources/Wormhole` | values |"
        #expect(reports("struct A { var queue: [Int] = [] }", page: row) == [])
    }

    @Test(arguments: [
        "struct A { var rows: [Int] }", "struct A { static var all: [Int] = [] }", "func f() { var a: [Int] = [] }",
        "struct A { var ends: [Int] = [-1, -1] }", "struct A { var x: [Int] { [] } }",
        "let (a, b) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))",
    ]) func whatDoesNotGrowIsFine(_ text: String) {
        #expect(reports(text, page: "## Buffers") == [])
    }
}
