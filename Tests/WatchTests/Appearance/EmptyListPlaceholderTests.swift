import Testing

@testable import Watch

@Suite struct EmptyListPlaceholderTests {
    @Test func noListYet() throws {
        let list = ListAppearance("Tapline", remaining: 0, link: .down, placeholder: .noListYet)
        try GoldenImage.expect(list.drawn(SampleRows([])), "list-none-yet")
    }

    @Test(arguments: [EmptyListPlaceholder.allDone, .noListYet])
    func coversTheRowsAndLeavesTheTitleBar(placeholder: EmptyListPlaceholder) {
        let canvas = Canvas()
        canvas.framebuffer.fill(.panel)
        canvas.flush()
        placeholder.draw(into: &canvas.framebuffer)
        #expect((0..<24).allSatisfy { !canvas.isDirty($0) })
        let alone = Canvas()
        placeholder.draw(into: &alone.framebuffer)
        #expect(canvas.bytes.dropFirst(24 * 18) == alone.bytes.dropFirst(24 * 18))
    }
}
