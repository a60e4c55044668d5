import WatchLink

/// The message in place of the rows of an empty list.
enum EmptyListPlaceholder: Sendable, BitwiseCopyable {
    /// None: there are rows, or the last one is about to go.
    case none
    /// Everything is checked off.
    case allDone
    /// No phone has ever sent a list.
    case noListYet

    func draw(into framebuffer: inout Framebuffer) {
        framebuffer.fill(RowGeometry.listArea, .black)
        let middle = PanelGeometry.width / 2
        switch self {
        case .none:
            break
        case .allDone:
            framebuffer.fillDisc(at: Point(x: middle - 30, y: 40), diameter: 60)
            framebuffer.drawTick(at: Point(x: middle - 18, y: 52), size: 12, thickness: 9, .black)
            framebuffer.draw(("All done" as StaticString).utf8, .title, centredAt: middle, baseline: 128)
            framebuffer.draw(("Enjoy your day" as StaticString).utf8, .row, centredAt: middle, baseline: 148)
        case .noListYet:
            PhoneIcon(link: .connecting).drawLarge(at: Point(x: middle - 18, y: 40), into: &framebuffer)
            framebuffer.draw(("No list yet" as StaticString).utf8, .title, centredAt: middle, baseline: 128)
            framebuffer.draw(("Add on the phone" as StaticString).utf8, .row, centredAt: middle, baseline: 148)
        }
    }
}
