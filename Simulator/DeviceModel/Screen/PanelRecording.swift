import Watch
import WatchLink

/// A recording of a panel's pictures and touches. It has 25 pictures for each second on the watch's clock, at any speed
/// of that clock.
package struct PanelRecording: Sendable, Equatable {
    /// A picture, and the tick at which the panel begins to show it.
    package struct Moment: Sendable, Equatable {
        /// The number of the tick. Tick 0 is the beginning of the recording, and each tick takes 40 ms.
        package let tick: Int
        package let frame: PanelFrame
    }

    package struct Touch: Sendable, Equatable {
        package let tick: Int
        package let x: Int
        package let y: Int
    }

    /// The time between two pictures: 40 ms.
    package static let tick = Microseconds.milliseconds(40)
    /// The maximum length of a recording: 10 minutes. A recording of this length takes at most 45 MB of memory.
    package static let longest = Microseconds.seconds(600)
    private static let mostTicks = Int(longest.count / tick.count)

    package let began: Instant
    /// The pictures in order. Each differs from the previous one, and the first has tick 0.
    package private(set) var moments: [Moment]
    package private(set) var touches: [Touch] = []
    package private(set) var lastTick = 0

    package init(of frame: PanelFrame, from time: Instant) {
        began = time
        moments = [Moment(tick: 0, frame: frame)]
    }

    /// Whether the recording has reached its maximum length. If so, it ignores later pictures and touches.
    package var isFull: Bool { lastTick >= PanelRecording.mostTicks }

    package var length: Microseconds { .milliseconds(UInt32(lastTick + 1) * 40) }

    /// Records that the panel shows `frame` from `time` on. If several pictures fall into one tick, keeps only the
    /// last.
    package mutating func show(_ frame: PanelFrame, at time: Instant) {
        guard let tick = advance(to: time), let last = moments.last else { return }
        if last.tick == tick { moments.removeLast() }
        guard moments.last?.frame != frame else { return }
        moments.append(Moment(tick: tick, frame: frame))
    }

    package mutating func touch(x: Int16, y: Int16, at time: Instant) {
        // Records one touch for each picture, because more would not be visible.
        guard let tick = advance(to: time), touches.last?.tick != tick else { return }
        touches.append(Touch(tick: tick, x: Int(x), y: Int(y)))
    }

    package mutating func end(at time: Instant) { _ = advance(to: time) }

    /// Extends the recording to the first tick at or after `time`, and returns this tick. If the tick is beyond the
    /// maximum length, extends the recording to that length and returns nil.
    private mutating func advance(to time: Instant) -> Int? {
        let since = max(time, began) - began
        let tick = Int((since.count + PanelRecording.tick.count - 1) / PanelRecording.tick.count)
        lastTick = min(max(lastTick, tick), PanelRecording.mostTicks)
        return tick <= PanelRecording.mostTicks ? tick : nil
    }

    package func frame(at tick: Int) -> PanelFrame {
        var (low, high) = (0, moments.count)
        // Invariant: the picture at `low` is not after the tick, and the picture at `high` is.
        while high - low > 1 {
            let middle = (low + high) / 2
            if moments[middle].tick <= tick { low = middle } else { high = middle }
        }
        return moments[low].frame
    }
}

extension PanelRecording {
    /// The colours of dark pixels, of lit pixels, and of the ring around a touch.
    private static let palette = Colour.blackAndWhite + [Colour(red: 255, green: 96, blue: 0)]
    private static let ring: UInt8 = 2

    /// Encodes an animated GIF file. A pixel of the panel becomes a square with `scale` pixels on each side, 1 to 16.
    package func file(scale: Int) throws(DeviceModelError) -> [UInt8] {
        try DeviceModelError.encoding { () throws(PictureError) in
            try GraphicsInterchangeFormat.file(animation(scale: scale))
        }
    }

    func animation(scale: Int) -> Animation {
        let scale = min(max(scale, 1), 16)
        let size = PictureSize(width: PanelGeometry.width * scale, height: PanelGeometry.height * scale)
        let changes = ticksOfChange
        return Animation(size: size, palette: PanelRecording.palette, count: changes.count) { index in
            let next = index + 1 < changes.count ? changes[index + 1] : lastTick + 1
            // A tick takes four hundredths of a second.
            return Animation.Frame(
                pixels: pixels(at: changes[index], scale: scale), hundredths: (next - changes[index]) * 4)
        }
    }

    /// The ticks at which the picture or a ring changes, beginning with 0.
    private var ticksOfChange: [Int] {
        let marks = touches.flatMap { $0.tick...$0.tick + TouchMark.ticks }
        return Set(moments.map(\.tick) + marks).filter { $0 <= lastTick }.sorted()
    }

    private func pixels(at tick: Int, scale: Int) -> [UInt8] {
        var panel = frame(at: tick).pixels
        for mark in touches.compactMap({ TouchMark(of: $0, at: tick) }) {
            for y in mark.lines.clamped(to: 0...PanelGeometry.height - 1) {
                for x in mark.columns.clamped(to: 0...PanelGeometry.width - 1) where mark.covers(x: x, y: y) {
                    panel[y * PanelGeometry.width + x] = PanelRecording.ring
                }
            }
        }
        return panel.enlarged(width: PanelGeometry.width, scale: scale)
    }
}

/// The ring that a recording shows around a touched pixel. The ring grows for 320 ms and then disappears. A `TouchMark` is
/// the ring at one tick.
struct TouchMark {
    /// The ring lasts for this number of pictures, of 40 ms each.
    static let ticks = 8
    private static let thickness = 2

    let touch: PanelRecording.Touch
    private let radius: Int

    /// Nil if `tick` is before the touch, or if the ring has disappeared by then.
    init?(of touch: PanelRecording.Touch, at tick: Int) {
        guard (0..<TouchMark.ticks).contains(tick - touch.tick) else { return nil }
        self.touch = touch
        radius = 4 + (tick - touch.tick)
    }

    func covers(x: Int, y: Int) -> Bool {
        let distance = (x - touch.x) * (x - touch.x) + (y - touch.y) * (y - touch.y)
        let inner = radius - TouchMark.thickness
        return distance <= radius * radius && distance > inner * inner
    }

    var lines: ClosedRange<Int> { touch.y - radius...touch.y + radius }
    var columns: ClosedRange<Int> { touch.x - radius...touch.x + radius }
}
