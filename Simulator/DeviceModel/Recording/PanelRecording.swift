import Watch
import WatchLink

/// What a panel has shown for a while, and where it was touched: 25 pictures for each second of the watch's time, whatever
/// its speed was.
package struct PanelRecording: Sendable, Equatable {
    /// A picture that was there from one tick on.
    package struct Moment: Sendable, Equatable {
        /// Counted from 0, when the recording began.
        package let tick: Int
        package let frame: PanelFrame
    }

    /// A finger that came down.
    package struct Touch: Sendable, Equatable {
        package let tick: Int
        /// The pixel of the panel.
        package let x: Int
        package let y: Int
    }

    /// The time between two pictures: 40 ms.
    package static let tick = Microseconds.milliseconds(40)
    /// The longest recording, which bounds its memory: 10 minutes, with 45 MB where every picture is another one.
    package static let longest = Microseconds.seconds(600)
    private static let mostTicks = Int(longest.count / tick.count)

    /// When it began, on the watch's clock.
    package let began: Instant
    /// The pictures, each another than the one before it; the first is of tick 0.
    package private(set) var moments: [Moment]
    /// The touches, in their order.
    package private(set) var touches: [Touch] = []
    /// The last tick, at which it was still going on.
    package private(set) var lastTick = 0

    /// A recording that begins with this picture.
    package init(of frame: PanelFrame, from time: Instant) {
        began = time
        moments = [Moment(tick: 0, frame: frame)]
    }

    /// Whether it has reached its longest length: what comes later is not in it.
    package var isFull: Bool { lastTick >= PanelRecording.mostTicks }

    /// Its length on the watch's clock.
    package var length: Microseconds { .milliseconds(UInt32(lastTick + 1) * 40) }

    /// The panel shows something since `time`. Of several pictures within a tick the last one counts.
    package mutating func show(_ frame: PanelFrame, at time: Instant) {
        guard let tick = advance(to: time), let last = moments.last else { return }
        if last.tick == tick { moments.removeLast() }
        guard moments.last?.frame != frame else { return }
        moments.append(Moment(tick: tick, frame: frame))
    }

    /// A finger came down at `time`.
    package mutating func touch(x: Int16, y: Int16, at time: Instant) {
        // One a picture: what a script touches beyond that cannot be seen anyway.
        guard let tick = advance(to: time), touches.last?.tick != tick else { return }
        touches.append(Touch(tick: tick, x: Int(x), y: Int(y)))
    }

    /// It goes on until `time`.
    package mutating func end(at time: Instant) { _ = advance(to: time) }

    /// The first tick at or after `time`, which is the last one now; nil for one beyond the longest length.
    private mutating func advance(to time: Instant) -> Int? {
        let since = max(time, began) - began
        let tick = Int((since.count + PanelRecording.tick.count - 1) / PanelRecording.tick.count)
        lastTick = min(max(lastTick, tick), PanelRecording.mostTicks)
        return tick <= PanelRecording.mostTicks ? tick : nil
    }

    /// The picture at a tick, 0 to `lastTick`.
    package func frame(at tick: Int) -> PanelFrame {
        var (low, high) = (0, moments.count)
        // Invariant: the moment at `low` is not after the tick, and that at `high` is.
        while high - low > 1 {
            let middle = (low + high) / 2
            if moments[middle].tick <= tick { low = middle } else { high = middle }
        }
        return moments[low].frame
    }
}
