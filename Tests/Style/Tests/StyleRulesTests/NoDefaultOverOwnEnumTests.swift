import Testing

@testable import StyleRules

@Suite struct NoDefaultOverOwnEnumTests {
    let own = SourceFile(
        path: "Hardware/Watch/Screen.swift",
        text: "enum Screen { case face, list(Int), sheet }\nenum Link { case down, up }\nenum Names {}")

    func reported(_ cases: String) -> [String] {
        reports(NoDefaultOverOwnEnum(), "switch x {\n\(cases)\n}", beside: [own])
    }

    @Test(arguments: [
        "case .face: 1\ndefault: 2",
        "case .face: 1\n@unknown default: 2",
        "case .list(let row): row\ndefault: 2",
        "case let .list(row): row\ncase _: 2",
        "case .face, .sheet: 1\ncase let other: 2",
        "case .face?: 1\ndefault: 2",
        "case Screen.face: 1\ndefault: 2",
        "case (.face, .down): 1\ndefault: 2",
        "case (_, .down): 1\ncase (_, _): 2",
        "case (let row, .up): 1\ndefault: 2",
        "case .face where y: 1\ndefault: 2",
        "case nil: 1\ncase .face?: 2\ndefault: 3",
    ])
    func catchAllOverOwnEnumIsReported(_ cases: String) {
        #expect(reported(cases).map { $0.hasSuffix(": no-default") } == [true])
    }

    @Test(arguments: [
        "case .face: 1\ncase .list, .sheet: 2",
        "case 1: 1\ndefault: 2",
        "case \"face\": 1\ndefault: 2",
        "case .lineComment: 1\ndefault: 2",
        "case .face: 1\ncase .other: 2\ndefault: 3",
        "case .some(let x): 1\ndefault: 2",
        "case .success(let x): 1\ndefault: 2",
        "case Foreign.face: 1\ndefault: 2",
        "case (0, .down): 1\ncase (let count, _): 2",
        "case (1..., .down): 1\ndefault: 2",
        "case .face: 1\ndefault:  // style: foreign enum\n2",
        "case .face: 1\ncase let other where y: 2",
        "case (.face, _): 1\ncase (_, .down): 2\ncase (.list, .up), (.sheet, .up): 3",
    ])
    func everythingElseIsFine(_ cases: String) {
        #expect(reported(cases) == [])
    }

    @Test func nestedEnumIsFoundByItsOwnName() {
        let nested = SourceFile(
            path: "Sources/Wormhole/Peer.swift", text: "struct Peer { enum Phase { case idle, busy } }")
        let text = "switch x { case Peer.Phase.idle: 1\ndefault: 2 }"
        #expect(reports(NoDefaultOverOwnEnum(), text, beside: [nested]) == ["2: no-default"])
    }

    @Test func enumOfATestIsNotOurs() {
        let tests = SourceFile(path: "Tests/WatchTests/Kind.swift", text: "enum Kind { case odd, even }")
        #expect(reports(NoDefaultOverOwnEnum(), "switch x { case .odd: 1\ndefault: 2 }", beside: [tests]) == [])
    }

    @Test func typeOfTheValueDecides() {
        #expect(reports(NoDefaultOverOwnEnum(), "switch Screen(x) { case .face: 1\ndefault: 2 }", beside: [own]) != [])
        #expect(reports(NoDefaultOverOwnEnum(), "switch Byte(x) { case .face: 1\ndefault: 2 }", beside: [own]) == [])
    }

    @Test func rawValueWithNamesIsNoEnum() {
        let kind = SourceFile(
            path: "Hardware/Watch/Kind.swift",
            text: "struct Kind { static let face = Kind(1) }\nextension Kind { static var sheet: Kind { Kind(2) } }")
        let text = "switch x { case .face, .sheet: 1\ndefault: 2 }"
        #expect(reports(NoDefaultOverOwnEnum(), text, beside: [own, kind]) == [])
    }

    @Test func testMayHaveAnEnumWithTheSameNames() {
        let text = "enum Event { case face, other }\nswitch x { case .face: 1\ndefault: 2 }"
        #expect(reports(NoDefaultOverOwnEnum(), text, at: "Tests/WatchTests/Event.swift", beside: [own]) == [])
        #expect(reports(NoDefaultOverOwnEnum(), text, beside: [own]) == ["3: no-default"])
    }
}
