/// The white bar at the top of a sheet, with its title in black.
struct SheetTitle {
    let text: StaticString

    @inline(never)
    func draw(into framebuffer: inout Framebuffer) {
        framebuffer.fill(Rect(x: 0, y: 0, width: PanelGeometry.width, height: RowGeometry.titleBarHeight))
        framebuffer.draw(text, .title, at: Point(x: RowGeometry.textLeft, y: 17), ink: .black)
    }
}
