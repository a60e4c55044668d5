import Testing

@testable import Watch

@Suite struct TitleBarTests {
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
    func countsOfEverySize(remaining: UInt32) throws {
        try GoldenImage.expect(drawn(bar(remaining, "Saturday’s groceries")), "title-bar-\(remaining)")
    }

    @Test(arguments: [(LinkIndicator.down, "down"), (.connecting, "connecting"), (.reachable, "reachable")])
    func everyLinkState(link: LinkIndicator, name: String) throws {
        try GoldenImage.expect(drawn(bar(12, "Camping", link)), "title-bar-link-\(name)")
    }

    @Test func staysWithinItsLines() throws {
        let canvas = drawn(bar(128, String(repeating: "Ğj", count: 20)))
        #expect(canvas.dirtyLines.allSatisfy { $0 < RowGeometry.titleBarHeight })
    }
}
