import Testing

@testable import StyleRules

@Suite struct RuleTests {
    @Test func violationsAreSortedAndSayWhere() {
        let files = [
            SourceFile(path: "Sources/WatchLink/B.swift", text: "import Foundation\n// TODO\nclass C { var x = true }"),
            SourceFile(path: "Hardware/Watch/A.swift", text: "// TODO"),
        ]
        let found = violations(in: files).map { $0.description.split(separator: ":").prefix(3).joined(separator: ":") }
        #expect(
            found == [
                "Hardware/Watch/A.swift:1: dead-file",
                "Hardware/Watch/A.swift:1: nothing-unfinished",
                "Sources/WatchLink/B.swift:1: imports",
                "Sources/WatchLink/B.swift:2: nothing-unfinished",
                "Sources/WatchLink/B.swift:3: dead",
                "Sources/WatchLink/B.swift:3: embedded-subset",
                "Sources/WatchLink/B.swift:3: no-stored-bool",
            ])
    }

    @Test func everyRuleHasANameOfItsOwn() {
        #expect(Set(houseRules.map(\.name)).count == houseRules.count)
    }
}
