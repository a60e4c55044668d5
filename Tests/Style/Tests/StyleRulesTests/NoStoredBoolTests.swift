import Testing

@testable import StyleRules

@Suite struct NoStoredBoolTests {
    @Test(arguments: [
        "struct S { var isOpen: Bool }",
        "struct S { let isOpen: Bool? }",
        "struct S { var isOpen = false }",
        "struct S { var isOpen = !x }",
        "struct S { static let isOpen = a == b }",
        "struct S { var flags: [Bool] }",
        "struct S { var flags: [String: Bool] }",
        "struct S { let flag: Mutex<Bool> }",
        "struct S { let flag = Mutex(false) }",
        "struct S { var pair: (Int, Bool) }",
        "struct S { var isOpen: Swift.Bool }",
        "struct S { var isOpen: Bool { didSet { } } }",
        "class C { private(set) lazy var isOpen: Bool = false }",
        "var isOpen = true",
        "enum E { case open(Bool) }",
        "enum E { case open(isNew: Bool?, count: Int) }",
        "struct S { @Flag var isOpen = false }",
    ])
    func storedBoolIsReported(_ text: String) {
        #expect(reports(NoStoredBool(), text) == ["1: no-stored-bool"])
    }

    @Test(arguments: [
        "struct S { var isOpen: Bool { state == .open } }",
        "struct S { var isOpen: Bool { get { true } } }",
        "struct S { let isOpen: (Int) -> Bool }",
        "struct S { let sort: @Sendable (Int, Int) -> Bool }",
        "struct S { var count = a == b ? 1 : 2 }",
        "protocol P { var isOpen: Bool { get } }",
        "func f(isOpen: Bool) { let isShut = !isOpen; var x: Bool = false }",
        "struct S { var x: Int { let isOpen = true; return isOpen ? 1 : 2 } }",
        "struct S { let x: Int = { let isOpen = true; return isOpen ? 1 : 2 }() }",
        "enum E { case open(since: Int) }",
        "func f() -> Bool { true }",
    ])
    func boolThatIsNotStateIsFine(_ text: String) {
        #expect(reports(NoStoredBool(), text) == [])
    }

    @Test func optionsOfTheCommandAreFine() {
        let text = "struct Add { @Flag(help: \"JSON\") var json = false\n@Option var colour: Bool?\nvar other = false }"
        #expect(reports(NoStoredBool(), text, at: "Sources/tapline/Add.swift") == ["3: no-stored-bool"])
    }

    @Test func testsMayHaveTables() {
        #expect(reports(NoStoredBool(), "struct Row { let expected: Bool }", at: "Tests/WatchTests/Row.swift") == [])
    }
}
