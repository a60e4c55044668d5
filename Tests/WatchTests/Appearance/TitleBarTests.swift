import Testing

@testable import Watch

struct TitleBarTests {
    private func drawn(_ bar: TitleBar) -> Canvas {
        let canvas = Canvas()
        bar.draw(into: &canvas.framebuffer)
        return canvas
    }

    private func bar(_ remaining: UInt32, _ title: String = "Groceries", _ link: LinkIndicator = .reachable) -> TitleBar
    {
        TitleBar(title: Canvas.title(title), remaining: remaining, link: link)
    }

    @Test(arguments: [0, 9, 128, 9_999, 10_000, 99_999, 100_000] as [UInt32])
    func `the title bar shows counts of every size`(remaining: UInt32) throws {
        try GoldenImage.expect(drawn(bar(remaining, "Saturday’s groceries")), "title-bar-\(remaining)")
    }

    @Test(arguments: [(LinkIndicator.down, "down"), (.connecting, "connecting"), (.reachable, "reachable")])
    func `the title bar shows every state of the link`(link: LinkIndicator, name: String) throws {
        try GoldenImage.expect(drawn(bar(12, "Camping", link)), "title-bar-link-\(name)")
    }

    @Test func `the title bar stays within its lines`() throws {
        let canvas = drawn(bar(128, String(repeating: "Ğj", count: 20)))
        #expect(canvas.dirtyLines.allSatisfy { $0 < RowGeometry.titleBarHeight })
    }

    @Test func `a count gives way to another of as many digits, on its own lines`() {
        let memory = PartMemory()
        var arena = memory.arena
        let digits = TitleDigits(arena: &arena)
        for (before, after) in [(10, 9), (0, 99), (999, 100), (112, 111), (99_999, 10_000)] as [(UInt32, UInt32)] {
            let canvas = drawn(bar(before))
            canvas.flush()
            #expect(TitleBar.canReplaceCount(before, with: after))
            TitleBar.replaceCount(before, with: after, digits, into: &canvas.framebuffer)
            #expect(canvas.bytes == drawn(bar(after)).bytes, "\(before) to \(after)")
            #expect(canvas.dirtyLines == Array(7..<17))
        }
    }

    @Test func `with fewer digits the name has more room, and a plus is no digit`() {
        for after in [99, 999, 9_999, 99_999, 100_000, 100_001] as [UInt32] {
            #expect(!TitleBar.canReplaceCount(after + 1, with: after))
            #expect(!TitleBar.canReplaceCount(after, with: after + 1))
        }
    }
}
