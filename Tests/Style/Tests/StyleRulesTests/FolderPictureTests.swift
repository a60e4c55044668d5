import Testing

@testable import StyleRules

@Suite struct FolderPictureTests {
    private let files = [
        SourceFile(path: "Simulator/Upper/A/One.swift", text: "import Lower\nstruct One { let two: Two }"),
        SourceFile(path: "Simulator/Upper/B/Two.swift", text: "struct Two { }"),
        SourceFile(path: "Sources/Lower/C/Three.swift", text: "struct Three { }"),
    ]

    @Test func everyModuleAndFolderIsDrawnOnce() {
        let svg = FolderPicture(files).svg
        for name in ["Upper", "Lower", "A", "B", "C"] {
            #expect(svg.occurrences(of: ">\(name)</text>") == 1, "\(name)")
        }
    }

    @Test func everyReferenceIsAnArrow() {
        let svg = FolderPicture(files).svg
        #expect(svg.occurrences(of: "url(#dark)") == 1)
        #expect(svg.occurrences(of: "url(#grey)") == 1)
        #expect(svg.occurrences(of: "url(#red)") == 0)
    }

    @Test func arrowBackUpIsRed() {
        let back = SourceFile(path: "Simulator/Upper/B/Back.swift", text: "let one: One\nlet another: One")
        #expect(FolderPicture(files + [back]).svg.occurrences(of: "url(#red)") == 1)
    }

    @Test func theSameFilesGiveTheSameBytes() {
        #expect(FolderPicture(files).svg == FolderPicture(files.reversed()).svg)
    }
}

@Suite struct LayeredLayoutTests {
    private func layout(_ arrows: [(String, String)]) -> LayeredLayout {
        let names = Set(arrows.flatMap { [$0.0, $0.1] }).sorted()
        return LayeredLayout(
            names.map { .init(name: $0, width: 40, height: 20) }, arrows.map { .init(from: $0.0, to: $0.1) },
            .init(across: 10, down: 30, lane: 6))
    }

    @Test func everyArrowLeadsDownwards() throws {
        let arrows = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("a", "d"), ("e", "c")]
        let places = layout(arrows).corners
        for (from, to) in arrows {
            #expect(try #require(places[from]).y + 20 < #require(places[to]).y, "\(from) \(to)")
        }
    }

    @Test func boxesDoNotOverlap() {
        let places = layout([("a", "b"), ("a", "c"), ("a", "d"), ("e", "c"), ("f", "c")]).corners.values
        for one in places {
            for other in places where other != one && other.y == one.y { #expect(abs(other.x - one.x) >= 50) }
        }
    }

    @Test func arrowBeginsAndEndsAtItsBoxes() throws {
        let drawing = layout([("a", "b"), ("b", "c"), ("a", "c")])
        let path = try #require(drawing.paths[.init(from: "a", to: "c")])
        let first = try #require(drawing.corners["a"])
        let last = try #require(drawing.corners["c"])
        #expect(path.first?.y == first.y + 20)
        #expect(path.last?.y == last.y)
        #expect((last.x...last.x + 40).contains(try #require(path.last).x))
    }
}

extension String {
    /// How often `part` occurs.
    fileprivate func occurrences(of part: String) -> Int { ranges(of: part).count }
}
