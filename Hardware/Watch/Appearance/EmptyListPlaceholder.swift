import WatchLink

/// The message in place of the rows of an empty list.
public enum EmptyListPlaceholder: UInt8, Sendable, BitwiseCopyable {
    /// None: there are rows, or the last one is about to go.
    case none
    /// Everything is checked off.
    case allDone
    /// No phone has ever sent a list.
    case noListYet
    /// The list has not arrived in full, or goes on beyond the watch.
    case moreToCome
    /// The list has arrived, and nothing was ever on it.
    case nothingYet

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
            EmptyListPlaceholder.drawPhone("No list yet", "Add on the phone", into: &framebuffer)
        case .moreToCome:
            EmptyListPlaceholder.drawPhone("More to come", "from the phone", into: &framebuffer)
        case .nothingYet:
            EmptyListPlaceholder.drawPhone("Nothing yet", "Add on the phone", into: &framebuffer)
        }
    }

    private static func drawPhone(
        _ heading: StaticString, _ text: StaticString, into framebuffer: inout Framebuffer
    ) {
        let middle = PanelGeometry.width / 2
        PhoneIcon(link: .connecting).drawLarge(at: Point(x: middle - 18, y: 40), into: &framebuffer)
        framebuffer.draw(heading.utf8, .title, centredAt: middle, baseline: 128)
        framebuffer.draw(text.utf8, .row, centredAt: middle, baseline: 148)
    }
}
