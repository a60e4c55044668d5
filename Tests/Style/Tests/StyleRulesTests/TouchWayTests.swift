import Testing

@testable import StyleRules

/// What the rule says of a page with these rows in the section, beside two files.
private func complaints(_ rows: [String]) -> [String] {
    let files = [
        SourceFile(path: "Simulator/A/Screen.swift", text: "struct Screen { func took() {} }"),
        SourceFile(path: "Simulator/A/Queue.swift", text: "struct Queue { var next: Int { 1 } }"),
    ]
    let text = "# Page\n## A touch's way\n" + rows.joined(separator: "\n") + "\n## Else\n| `Gone.swift` | `no` |"
    let page = Page(path: "Simulator/README.md", text: text)
    return violations(of: [TouchWay()], in: files, pages: [page]).map { "\($0.line): \($0.message)" }
}

@Suite struct TouchWayTests {
    @Test func filesWithTheirFunctionsPass() {
        #expect(
            complaints(["| `Simulator/A/Screen.swift` | `took(mouse:)` |", "| `Simulator/A/Queue.swift` | `next` |"])
                == [])
    }

    @Test func fileThatIsGoneIsNamed() {
        #expect(complaints(["| `Simulator/A/Gone.swift` | `took()` |"]) == ["3: Simulator/A/Gone.swift does not exist"])
    }

    @Test func functionThatIsGoneIsNamed() {
        #expect(
            complaints(["| `Simulator/A/Queue.swift` | `first` |"]) == ["3: Simulator/A/Queue.swift declares no first"])
    }

    @Test func rowNamesAFunction() {
        let complaint = "3: Simulator/A/Queue.swift: name the function that the touch enters"
        #expect(complaints(["| `Simulator/A/Queue.swift` | waits |"]) == [complaint])
    }

    @Test func wayIsNotEmptyAndAtMostFortyFiveFiles() {
        #expect(complaints([]) == ["2: 0 files, where a touch passes through 1 to 45"])
        let rows = (1...46).map { "| `Simulator/A/F\($0).swift` | `f` |" }
        #expect(complaints(rows).first == "2: 46 files, where a touch passes through 1 to 45")
    }

    @Test func pageWithoutTheSectionFails() {
        let page = Page(path: "Simulator/README.md", text: "# Page")
        #expect(violations(of: [TouchWay()], in: [], pages: [page]).map(\.rule) == ["touch-way"])
    }
}
