import Watch

extension PanelRecording {
    /// The colours of an animation: a dark pixel, a lit one, and the ring of a touch.
    private static let palette = [
        Colour(red: 0, green: 0, blue: 0), Colour(red: 255, green: 255, blue: 255),
        Colour(red: 255, green: 96, blue: 0),
    ]
    private static let ring: UInt8 = 2

    /// It as an animation.
    ///
    /// - Parameter scale: how many pixels of the animation, across and down, one pixel of the panel makes: 1 to 16. Values
    ///   outside are taken as the nearest one inside.
    func animation(scale: Int) -> Animation {
        let scale = min(max(scale, 1), 16)
        let size = PictureSize(width: PanelGeometry.width * scale, height: PanelGeometry.height * scale)
        let changes = ticksOfChange
        return Animation(size: size, palette: PanelRecording.palette, count: changes.count) { index in
            let next = index + 1 < changes.count ? changes[index + 1] : lastTick + 1
            // A tick is four hundredths of a second.
            return Animation.Frame(
                pixels: pixels(at: changes[index], scale: scale), hundredths: (next - changes[index]) * 4)
        }
    }

    /// The ticks at which something is other than at the one before, 0 first; touches are marked for a third of a second.
    package var ticksOfChange: [Int] {
        let marks = touches.flatMap { $0.tick...$0.tick + TouchMark.ticks }
        return Set(moments.map(\.tick) + marks).filter { $0 <= lastTick }.sorted()
    }

    /// The touches that are marked at a tick.
    package func touches(at tick: Int) -> [Touch] { touches.filter { TouchMark(of: $0, at: tick) != nil } }

    private func pixels(at tick: Int, scale: Int) -> [UInt8] {
        var panel = frame(at: tick).pixels
        for mark in touches.compactMap({ TouchMark(of: $0, at: tick) }) {
            for y in mark.lines.clamped(to: 0...PanelGeometry.height - 1) {
                for x in mark.columns.clamped(to: 0...PanelGeometry.width - 1) where mark.covers(x: x, y: y) {
                    panel[y * PanelGeometry.width + x] = PanelRecording.ring
                }
            }
        }
        return Enlargement.pixels(panel, width: PanelGeometry.width, scale: scale)
    }
}
