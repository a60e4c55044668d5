import Watch

/// How a touch looks in a recording: a ring that grows around the pixel and goes after a third of a second.
struct TouchMark {
    /// How many pictures have it: 8, of 40 ms each.
    static let ticks = 8
    private static let thickness = 2

    let touch: PanelRecording.Touch
    private let radius: Int

    /// The mark of a touch at a tick, nil where it is not there yet or has gone.
    init?(of touch: PanelRecording.Touch, at tick: Int) {
        guard (0..<TouchMark.ticks).contains(tick - touch.tick) else { return nil }
        self.touch = touch
        radius = 4 + (tick - touch.tick)
    }

    /// Whether it covers a pixel.
    func covers(x: Int, y: Int) -> Bool {
        let distance = (x - touch.x) * (x - touch.x) + (y - touch.y) * (y - touch.y)
        let inner = radius - TouchMark.thickness
        return distance <= radius * radius && distance > inner * inner
    }

    /// The lines that it touches.
    var lines: ClosedRange<Int> { touch.y - radius...touch.y + radius }
    /// The columns that it touches.
    var columns: ClosedRange<Int> { touch.x - radius...touch.x + radius }
}
