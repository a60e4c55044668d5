import Testing

@testable import StyleRules

/// The lines of `text`, a file of a shipped module, on which something dead is declared.
private func deadLines(
    _ text: String, beside others: KeyValuePairs<String, String> = [:], pages: [String] = []
) -> [Int] {
    let file = SourceFile(path: "Simulator/Sample/Sample.swift", text: text)
    let files = others.map { SourceFile(path: $0.key, text: $0.value) }
    let rules: [any Rule] = [DeadDeclaration(exceptions: [])]
    let read = pages.map { Page(path: "README.md", text: $0) }
    return violations(of: rules, in: [file] + files, pages: read).filter { $0.path == file.path }.map(\.line)
}

/// A file that uses `Sample` and nothing of it.
private let user: KeyValuePairs = ["Sources/tapline/main.swift": "print(Sample())"]

@Suite struct DeadDeclarationTests {
    @Test(arguments: [
        "struct Sample {\nstruct Part { } }",
        "struct Sample {\nfunc walk() { } }",
        "struct Sample {\nvar size: Int { 1 } }",
        "struct Sample {\nstatic let size = 1 }",
        "enum Sample {\ncase on }",
        "struct Sample { }\nfunc walk() { }",
        "struct Sample { }\nlet size = 1",
        "struct Sample {\nfunc walk() { walk() } }",
        "struct Sample { }\nstruct Other { static func make() -> Other { Other() } }",
    ])
    func whatNothingUsesIsReported(_ text: String) {
        #expect(deadLines(text, beside: user) == [2])
    }

    @Test func whatOnlyTheDeadUseIsReported() {
        #expect(deadLines("struct Sample { }\nfunc walk() { step() }\nfunc step() { }", beside: user) == [2, 3])
    }

    @Test func whatOnlyTestsUseIsReported() {
        let test = "func test() { walk() }"
        #expect(deadLines("func walk() { }", beside: ["Tests/SampleTests/SampleTests.swift": test]) == [1])
    }

    @Test func membersOfADeadTypeAreNotReportedOnTheirOwn() {
        #expect(deadLines("struct Other {\nvar size = 1\nfunc walk() { } }") == [1])
    }

    @Test func callWithOtherLabelsIsNoUse() {
        let text = "struct Sample {\nfunc walk(to place: Int) { }\nfunc walk(by distance: Int) { } }"
        #expect(deadLines(text, beside: ["Sources/tapline/main.swift": "Sample().walk(by: 1)"]) == [2])
    }

    @Test func initialiserThatNoCallFitsIsReported() {
        let text = "struct Sample {\ninit(at place: Int) { }\ninit(by distance: Int) { } }"
        #expect(deadLines(text, beside: ["Sources/tapline/main.swift": "print(Sample(by: 1))"]) == [2])
    }

    @Test(arguments: [
        "Sample().walk()", "walk()", "print(Sample.walk)", "print(\\Sample.walk)", "print(\"\\(Sample().walk)\")",
    ])
    func everyKindOfUseCounts(_ use: String) {
        let text = "struct Sample { func walk() { } }\nlet sample = Sample()\nprint(sample)"
        #expect(deadLines(text, beside: ["Sources/tapline/main.swift": use]) == [])
    }

    @Test func aUseInACommentOrStringDoesNotCount() {
        #expect(
            deadLines("func walk() { }", beside: ["Sources/tapline/main.swift": "// walk()\nprint(\"walk\")"]) == [1])
    }

    @Test(arguments: [
        "struct Sample: CustomStringConvertible { var description: String { \"\" } }",
        "struct Sample: Codable { let size: Int }",
        "enum Sample: String { case on }",
        "struct Sample: Encoder { func singleValueContainer() { } }",
        "struct Sample { static func == (left: Sample, right: Sample) -> Bool { true } }",
        "class Sample: Base { override func start() { } }",
        "struct Sample { init() { } }",
        "struct Sample: ExpressibleByStringLiteral { init(stringLiteral value: String) { } }",
    ])
    func whatTheLanguageUsesIsAlive(_ text: String) {
        #expect(deadLines(text, beside: user) == [])
    }

    @Test func whatAPageTellsUsersOfIsAlive() {
        #expect(deadLines("public func walk() { }", pages: ["Call `walk()` to begin."]) == [])
    }

    @Test func doublesAreForTests() {
        let double = SourceFile(path: "Simulator/SampleTesting/Double.swift", text: "public struct Double { }")
        let test = SourceFile(path: "Tests/SampleTests/SampleTests.swift", text: "let double = Double()")
        #expect(violations(of: [DeadDeclaration(exceptions: [])], in: [double, test]) == [])
        #expect(violations(of: [DeadDeclaration(exceptions: [])], in: [double]).map(\.line) == [1])
    }

    @Test func exceptionStaysOnlyWhileItIsNeeded() {
        let rule = DeadDeclaration(exceptions: [DeadException("Simulator/Sample", "Sample.walk", "a reason")])
        let dead = SourceFile(path: "Simulator/Sample/A/Sample.swift", text: "struct Sample { func walk() { } }")
        let use = SourceFile(path: "Sources/tapline/main.swift", text: "print(Sample())")
        let call = SourceFile(path: "Sources/tapline/main.swift", text: "Sample().walk()")
        #expect(violations(of: [rule], in: [dead, use]) == [])
        #expect(violations(of: [rule], in: [dead, call]).map(\.path) == ["Simulator/Sample"])
    }
}

@Suite struct DeadFileTests {
    @Test(arguments: ["", "// Nothing yet.", "import Watch\n/// Nothing."])
    func fileWithoutADeclarationIsReported(_ text: String) {
        #expect(reports(DeadFile(), text) == ["1: dead-file"])
    }

    @Test(arguments: ["struct A { }", "extension A: Sendable { }", "run()"])
    func fileThatDeclaresOrDoesSomethingIsFine(_ text: String) {
        #expect(reports(DeadFile(), text) == [])
    }

    @Test func testsAreNoConcern() {
        #expect(reports(DeadFile(), "", at: "Tests/WatchTests/Empty.swift") == [])
    }
}

@Suite struct OneNameOneTypeTests {
    private let rule = OneNameOneType(exceptions: [:])

    @Test func typeThatTwoModulesOfferIsReportedInBoth() {
        let files = [
            SourceFile(path: "Simulator/Sample/A.swift", text: "public struct Row { }"),
            SourceFile(path: "Sources/Other/B.swift", text: "package enum Row { }"),
        ]
        #expect(violations(of: [rule], in: files).map(\.path) == files.map(\.path))
    }

    @Test(arguments: ["struct Row { }", "public struct Other { public struct Row { } }", "private struct Row { }"])
    func typeThatIsNotOfferedUnderThatNameIsFine(_ text: String) {
        let other = SourceFile(path: "Sources/Other/B.swift", text: "public struct Row { }")
        #expect(reports(rule, text, beside: [other]) == [])
    }

    @Test func exceptionStaysOnlyWhileItIsNeeded() {
        let rule = OneNameOneType(exceptions: ["Row": "a reason"])
        let one = SourceFile(path: "Simulator/Sample/A.swift", text: "public struct Row { }")
        let two = SourceFile(path: "Sources/Other/B.swift", text: "public struct Row { }")
        #expect(violations(of: [rule], in: [one, two]) == [])
        #expect(violations(of: [rule], in: [one]).count == 1)
    }
}
