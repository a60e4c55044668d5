import WatchLink

/// Decides what a finger on the panel means, from its touch to its lift. The result depends only on the finger's positions and
/// times: not on how many positions were reported between them, nor on how busy the watch was.
struct TouchGesture: BitwiseCopyable {
    enum Action: BitwiseCopyable {
        case nothing
        /// The finger was lifted in the row where it came down.
        case tapRow(TouchTargets.Target)
        case tap(Press, liftedAt: Place)
        /// The finger has rested on the row of this item for `longPressTime`.
        case longPress(ItemID)
        /// Positive values are upwards, towards later rows.
        case drag(rows: Int)
        /// Positive values are to the left, which shows the screen on the right.
        case swipe(Int)
    }

    /// A position, which may be beyond the panel's edge if a finger has slid there.
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
        /// When the interrupt of the touch fired.
        let since: Instant

        @inline(__always)
        fileprivate func hasRow(of lift: Place) -> Bool {
            // Most fingers have not moved. Then no comparison of rows is needed.
            lift == place || movedWithinRow(to: lift)
        }

        private func movedWithinRow(to lift: Place) -> Bool {
            lift.isOnPanel && RowGeometry.row(atY: Int(lift.y)) == RowGeometry.row(atY: Int(place.y))
        }

        /// What a lift means if nothing was dragged.
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
        /// The finger has moved farther than `slop`, and can no longer become a long press.
        case wandering(Press)
        /// The rows last moved when the finger was at the line `from`.
        case dragging(from: Int16)
        /// The touch has had its effect, or was cancelled. Its lift does nothing.
        case spent
    }

    private var state = State.up

    /// How many pixels a finger may move and still count as resting. Android uses 8 density-independent pixels of 160 to the
    /// inch (`ViewConfiguration.TOUCH_SLOP`). The memory LCD (LS013B7DH05) has 176 to the inch.
    static var slop: Int { 8 }
    /// A finger that moves sideways by at least this number of pixels swipes.
    static var swipeDistance: Int { PanelGeometry.width / 4 }
    /// How long a finger rests for a long press: the default of `UILongPressGestureRecognizer.minimumPressDuration`.
    static var longPressTime: Microseconds { .milliseconds(500) }

    /// When the resting finger becomes a long press; nil if that would have no effect.
    var deadline: Instant? {
        guard case .resting(let press) = state, press.target != nil else { return nil }
        return press.since + TouchGesture.longPressTime
    }

    /// Whether the finger may still tap the row.
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

    /// The row of a tap that ends with this lift; nil if the lift may mean something else. This path is short, because the wearer
    /// waits for a tap.
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

    /// Cancels the present touch, because it was not meant for the new screen.
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

    /// Moves rows with the finger. For each row, in either direction, the finger must move by the height of a row. So a trembling
    /// finger does not move a row back and forth.
    private mutating func drag(from line: Int16, to place: Place) -> Action {
        let rows = (Int(line) - Int(place.y)) / RowGeometry.rowHeight
        state = .dragging(from: Int16(truncatingIfNeeded: Int(line) - rows * RowGeometry.rowHeight))
        return rows == 0 ? .nothing : .drag(rows: rows)
    }
}
