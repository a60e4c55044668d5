import WatchLink

/// Decides what a finger on the panel means, from its touch to its lift. The result depends only on the reported positions and
/// times, and not on how busy the watch was.
struct TouchGesture: BitwiseCopyable {
    enum Action: BitwiseCopyable {
        case nothing
        /// The finger was lifted in the row where it came down.
        case tapRow(TouchTargets.Target)
        case tap(Press, liftedAt: Place)
        /// The finger has rested on the row of this item for `longPressTime`.
        case longPress(ItemID)
        /// Positive if the finger moves up, which scrolls to later rows.
        case drag(rows: Int)
        /// 1 if the finger moves left, which leads to the screen on the right; -1 if the finger moves right.
        case swipe(Int)
    }

    /// A finger's position in pixels. If the finger slides off the panel, the position is outside `PanelGeometry`.
    struct Place: BitwiseCopyable, Equatable {
        var x: Int16
        var y: Int16

        fileprivate var isOnPanel: Bool {
            (0..<PanelGeometry.width).contains(Int(x)) && (0..<PanelGeometry.height).contains(Int(y))
        }

        @inline(__always)
        fileprivate func isNear(_ other: Place) -> Bool {
            let (x, y) = distance(from: other)
            return x <= TouchGesture.slop && -x <= TouchGesture.slop && y <= TouchGesture.slop
                && -y <= TouchGesture.slop
        }

        fileprivate func distance(from other: Place) -> (x: Int, y: Int) {
            (Int(x) - Int(other.x), Int(y) - Int(other.y))
        }
    }

    struct Press: BitwiseCopyable {
        let place: Place
        let target: TouchTargets.Target?
        /// The time of the interrupt that reported the touch.
        let since: Instant

        @inline(__always)
        fileprivate func hasRow(of lift: Place) -> Bool {
            // Most fingers have not moved. Then no comparison of rows is needed.
            lift == place || movedWithinRow(to: lift)
        }

        private func movedWithinRow(to lift: Place) -> Bool {
            lift.isOnPanel && RowGeometry.row(atY: Int(lift.y)) == RowGeometry.row(atY: Int(place.y))
        }

        /// Returns the effect of a lift at `lift` if the finger has neither dragged nor swiped.
        fileprivate func lifted(at lift: Place) -> Action {
            guard lift.isOnPanel else { return .nothing }
            guard let target else { return .tap(self, liftedAt: lift) }
            return hasRow(of: lift) ? .tapRow(target) : .nothing
        }
    }

    private enum State: BitwiseCopyable {
        case up
        /// The finger has not moved farther than `slop`.
        case resting(Press)
        /// The finger has moved sideways farther than `slop`. A tap, a drag or a swipe is still possible, but no long press.
        case wandering(Press)
        /// The screen scrolls when the finger is a row's height above or below the line `from`.
        case dragging(from: Int16)
        /// The touch has had its effect, or was cancelled. The finger's lift does nothing.
        case spent
    }

    private var state = State.up

    /// The maximum number of pixels, along each axis, that a finger may move and still count as resting. Android's
    /// `ViewConfiguration.TOUCH_SLOP` is 8 pixels at 160 to the inch. The memory LCD (LS013B7DH05) has 176 to the inch.
    static var slop: Int { 8 }
    /// The minimum number of pixels that a finger moves sideways in a swipe.
    static var swipeDistance: Int { PanelGeometry.width / 4 }
    /// How long a finger must rest to make a long press. This is the default of
    /// `UILongPressGestureRecognizer.minimumPressDuration`.
    static var longPressTime: Microseconds { .milliseconds(500) }

    /// When the touch becomes a long press; nil if the finger does not rest, or if it is not on a row.
    var deadline: Instant? {
        guard case .resting(let press) = state, press.target != nil else { return nil }
        return press.since + TouchGesture.longPressTime
    }

    /// Whether the finger came down on a row and may still tap that row.
    var isOnRow: Bool {
        switch state {
        case .resting(let press), .wandering(let press): press.target != nil
        case .up, .dragging, .spent: false
        }
    }

    /// Begins a touch, and forgets an earlier touch whose lift was lost. Ignores positions outside the panel.
    mutating func press(at place: Place, on target: TouchTargets.Target?, at time: Instant) {
        state = place.isOnPanel ? .resting(Press(place: place, target: target, since: time)) : .up
    }

    mutating func move(to place: Place, at time: Instant) -> Action {
        switch state {
        case .up, .spent: return .nothing
        case .dragging(let line): return drag(from: line, to: place)
        case .resting(let press):
            // The long press may already be due, if the watch was busy before this input.
            if let action = expire(at: time) { return action }
            return move(press, to: place)
        case .wandering(let press): return move(press, to: place)
        }
    }

    /// Ends the touch and returns the row if this lift is clearly a tap on that row. Otherwise returns nil, and the caller
    /// calls `lift`. This function is fast, because the wearer is waiting for the row to be struck through.
    @inline(__always)
    mutating func liftForTap(at place: Place, at time: Instant) -> TouchTargets.Target? {
        guard case .resting(let press) = state, let target = press.target,
            time < press.since + TouchGesture.longPressTime, place.isNear(press.place), press.hasRow(of: place)
        else { return nil }
        state = .up
        return target
    }

    @inline(never)
    mutating func lift(at place: Place, at time: Instant) -> Action {
        let action = move(to: place, at: time)
        defer { state = .up }
        switch state {
        case .resting(let press), .wandering(let press): return press.lifted(at: place)
        case .up, .dragging, .spent: return action
        }
    }

    mutating func expire(at time: Instant) -> Action? {
        guard let deadline, time >= deadline, case .resting(let press) = state, let target = press.target else {
            return nil
        }
        state = .spent
        return .longPress(target.item)
    }

    /// Cancels the present touch. Its later moves and its lift have no effect. The runtime calls this when the screen changes
    /// under the finger, or when another input interrupts the touch.
    mutating func cancel() {
        switch state {
        case .up: break
        case .resting, .wandering, .dragging, .spent: state = .spent
        }
    }

    private mutating func move(_ press: Press, to place: Place) -> Action {
        let (x, y) = place.distance(from: press.place)
        if abs(y) > TouchGesture.slop, abs(y) >= abs(x) { return drag(from: press.place.y, to: place) }
        if abs(x) >= TouchGesture.swipeDistance, abs(x) > abs(y) {
            state = .spent
            return .swipe(x < 0 ? 1 : -1)
        }
        if abs(x) > TouchGesture.slop { state = .wandering(press) }
        return .nothing
    }

    /// Counts the whole row heights between `line` and the finger, and returns a drag by that number of rows. Rows move back
    /// only when the finger moves back by a row's height. So a trembling finger does not move rows back and forth.
    private mutating func drag(from line: Int16, to place: Place) -> Action {
        let rows = (Int(line) - Int(place.y)) / RowGeometry.rowHeight
        state = .dragging(from: Int16(truncatingIfNeeded: Int(line) - rows * RowGeometry.rowHeight))
        return rows == 0 ? .nothing : .drag(rows: rows)
    }
}
