import Testing

@testable import StyleRules

/// What the rule says of a page with this text, beside a few files.
private func missing(_ text: String, at path: String = "Simulator/README.md") -> [String] {
    let tree = FileTree(files: [
        "README.md", "Simulator/README.md", "Simulator/DeviceModel/Board/SimulatedBoard+Input.swift", "Tests/run",
        "Tests/WatchTests/Runtime/ScreenTests.swift",
    ])
    return violations(of: [PathOnPage()], in: [], pages: [Page(path: path, text: text)], tree: tree).map(\.description)
}

@Suite struct PathOnPageTests {
    @Test(arguments: [
        "`Simulator/DeviceModel/Board/SimulatedBoard+Input.swift` and `Simulator/DeviceModel`",
        "`Tests/run unit` runs one group", "`SimulatedBoard+Input.swift`", "`ScreenTests` fails",
        "`swift test --filter NoSuch`",
        "[up](../README.md), [here](README.md#a-place), [away](https://example.org/a)",
        "`Simulator/DeviceModel/<Name>.swift`",
    ])
    func pathsThatExistPass(_ text: String) {
        #expect(missing(text) == [])
    }

    @Test(arguments: [
        ("`Simulator/DeviceModel/Board/Gone.swift`", "Simulator/DeviceModel/Board/Gone.swift"),
        ("`Tests/walk unit`", "Tests/walk"), ("`Gone.swift`", "Gone.swift"), ("`GoneTests`", "GoneTests"),
        ("[up](README2.md)", "README2.md"), ("`Simulator/Gone/<Name>.swift`", "Simulator/Gone/<Name>.swift"),
    ])
    func pathsThatDoNotAreNamed(_ text: String, _ path: String) {
        #expect(missing("first line\n\(text)") == ["Simulator/README.md:2: page-path: \(path) does not exist"])
    }
}
