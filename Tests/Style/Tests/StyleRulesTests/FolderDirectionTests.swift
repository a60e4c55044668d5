import Testing

@testable import StyleRules

/// What the rule says about files of one module, given as path within the module and text: `path:line`.
private func reports(_ texts: KeyValuePairs<String, String>, allowing exceptions: [FolderException] = []) -> [String] {
    let files = texts.map { SourceFile(path: "Simulator/Sample/\($0.key)", text: $0.value) }
    return violations(of: [FolderDirection(exceptions: exceptions)], in: files).map {
        "\($0.path.replacing("Simulator/Sample/", with: "")):\($0.line)"
    }
}

@Suite struct FolderDirectionTests {
    @Test func twoFoldersThatNameEachOthersTypesAreReportedWhereFewerUsesAre() {
        #expect(
            reports([
                "A/One.swift": "struct One { let two: Two; let list: [Two] }",
                "B/Two.swift": "struct Two { }\nfunc make() -> One? { nil }",
            ]) == ["B/Two.swift:2"])
    }

    @Test func oneDirectionIsFine() {
        #expect(reports(["A/One.swift": "struct One { let two: Two }", "B/Two.swift": "struct Two { }"]) == [])
    }

    @Test(arguments: [
        "func f(_ one: One) { }",
        "func f() { One.start() }",
        "func f() { var list: [Int: One?] = [:] }",
        "extension One { }",
        "extension One.Part { }",
        "struct Other: One { }",
        "func f() { helpOne(at: 1) }",
        "func f() { 5.oneMore() }",
        "func f() { let key = \\Int.oneCount }",
        "func f() -> String { \"text \\(One.self)\" }",
    ])
    func everyKindOfUseCounts(_ use: String) {
        let one = """
            struct One { let a: Two, b: Two; struct Part { } }
            func helpOne(at index: Int) { }
            extension Int { func oneMore() { }; var oneCount: Two { Two() } }
            """
        #expect(reports(["A/One.swift": one, "B/Two.swift": "struct Two { }\n" + use]) == ["B/Two.swift:2"])
    }

    @Test(arguments: [
        "// One",
        "/// As `One` does.\nfunc f() { }",
        "let text = \"One\"",
        "func f<One>(_ one: One) { }",
        "struct Other { struct One { }; let one: One }",
        "private struct One { }\nlet one: [One] = []",
        "func f(helpOne: (Int) -> Void) { helpOne(1) }",
        "func f() { helpOne(elsewhere: 1) }",
    ])
    func whatOnlyLooksLikeAUseDoesNotCount(_ text: String) {
        let one = "struct One { let a: Two, b: Two, c: Two }\nfunc helpOne(at index: Int) { }"
        #expect(reports(["A/One.swift": one, "B/Two.swift": "struct Two { }\n" + text]) == [])
    }

    @Test func nameThatTwoFoldersDeclareIsAReferenceToNeither() {
        #expect(
            reports([
                "A/One.swift":
                    "struct One { let two: Two; enum State { case on } }\nextension Int { var size: Int { 1 } }",
                "B/Two.swift": "struct Two { let state: State; let x = y.size }",
                "C/Three.swift": "struct Three { enum State { case off } }\nextension Int8 { var size: Int { 1 } }",
            ]) == [])
    }

    @Test func memberThatAnExtensionInAnotherFolderAddsCounts() {
        let files: KeyValuePairs = [
            "A/One.swift": "struct One { }",
            "B/One+Two.swift": "extension One { func two() { } }",
            "A/Use.swift": "func use(_ one: One) { one.two() }",
        ]
        #expect(reports(files) == ["A/Use.swift:1"])
    }

    @Test func subfolderIsAFolderOfItsOwn() {
        #expect(
            reports([
                "A/One.swift": "struct One { let a: Two, b: Two }", "A/B/Two.swift": "struct Two { let one: [One] }",
            ]) == ["A/B/Two.swift:1"])
    }

    @Test func fileInTheModulesRootBelongsToNoFolder() {
        #expect(
            reports([
                "One.swift": "struct One { let two: Two }", "B/Two.swift": "struct Two { func f() throws(One) { } }",
            ]) == [])
    }

    @Test func otherModulesFoldersAreNoConcern() {
        let files = [
            SourceFile(path: "Simulator/Sample/A/One.swift", text: "struct One { let two: Two }"),
            SourceFile(path: "Sources/Other/B/Two.swift", text: "struct Two { let one: One }"),
        ]
        #expect(violations(of: [FolderDirection(exceptions: [])], in: files) == [])
    }

    @Test func wayThroughThreeFoldersIsReportedWhereFewestUsesAre() {
        #expect(
            reports([
                "A/One.swift": "struct One { let a: Two, b: Two }",
                "B/Two.swift": "struct Two { let a: Three, b: Three }",
                "C/Three.swift": "struct Three { }\nfunc make() -> One? { nil }",
                "D/Four.swift": "let four: [One] = []",
            ]) == ["C/Three.swift:2"])
    }

    @Test func exceptionAllowsAWayThroughThreeFolders() {
        let exception = FolderException("Simulator/Sample", from: "C", to: "A", "a reason")
        let files: KeyValuePairs = [
            "A/One.swift": "struct One { let a: Two }", "B/Two.swift": "struct Two { let a: Three }",
            "C/Three.swift": "struct Three { let a: [One] }",
        ]
        #expect(reports(files, allowing: [exception]) == [])
    }

    @Test func exceptionAllowsItsArrow() {
        let exception = FolderException("Simulator/Sample", from: "B", to: "A", "a reason")
        #expect(
            reports(
                [
                    "A/One.swift": "struct One { let a: Two, b: Two }", "B/Two.swift": "struct Two { let one: [One] }",
                ], allowing: [exception]) == [])
    }

    @Test func exceptionThatIsNoLongerNeededIsReported() {
        let exception = FolderException("Simulator/Sample", from: "B", to: "A", "a reason")
        let files: KeyValuePairs = ["A/One.swift": "struct One { let a: Two }", "B/Two.swift": "struct Two { }"]
        #expect(reports(files, allowing: [exception]) == ["Simulator/Sample:1"])
    }

    @Test func everyExceptionHasAReason() {
        #expect(FolderException.tapline.allSatisfy { !$0.reason.isEmpty })
    }
}
