import WatchLink

/// What a finger on the panel means, from when it comes down until it lifts.
///
/// The machine takes the inputs of the touch controller with their times and returns what the wearer has done; it reads no clock and
/// draws nothing. What a touch means depends on where the finger was and when, and neither on how many places the controller reported
/// in between nor on when the watch found time to hear of them.
struct TouchGesture: BitwiseCopyable {
    /// What the wearer has done.
    enum Action: BitwiseCopyable {
        case nothing
        /// A tap on a row: the finger has lifted within the row on which it came down.
        case tapRow(TouchTargets.Target)
        /// A tap on no row, from where the finger came down to where it lifted.
        case tap(Press, liftedAt: Place)
        /// The finger rests on the row of this item for as long as a long press takes.
        case longPress(ItemID)
        /// The finger has moved on by a number of whole rows: up, towards later rows, when positive.
        case drag(rows: Int)
        /// The finger has moved sideways: to the left, towards what is on the right, when positive.
        case swipe(Int)
    }

    /// A pixel of the panel, or a place beside it to which a finger has slid.
    struct Place: BitwiseCopyable, Equatable {
        var x: Int16
        var y: Int16

        fileprivate var isOnPanel: Bool {
            (0..<PanelGeometry.width).contains(Int(x)) && (0..<PanelGeometry.height).contains(Int(y))
        }

        /// Whether the finger has stayed within the slop.
        @inline(__always)
        fileprivate func isNear(_ other: Place) -> Bool {
            let (x, y) = distance(from: other)
            return x <= TouchGesture.slop && -x <= TouchGesture.slop && y <= TouchGesture.slop
                && -y <= TouchGesture.slop
        }

        /// Columns and lines from `other` to here.
        fileprivate func distance(from other: Place) -> (x: Int, y: Int) {
            (Int(x) - Int(other.x), Int(y) - Int(other.y))
        }
    }

    /// A finger that came down.
    struct Press: BitwiseCopyable {
        /// Where.
        let place: Place
        /// The row that was on the panel then, nil where there was none.
        let target: TouchTargets.Target?
        /// The time of the interrupt.
        let since: Instant

        /// Whether another place is in the same row.
        @inline(__always)
        fileprivate func hasRow(of lift: Place) -> Bool {
            // A finger that has not moved needs no look at the rows, and most have not.
            lift == place || movedWithinRow(to: lift)
        }

        private func movedWithinRow(to lift: Place) -> Bool {
            lift.isOnPanel && RowGeometry.row(atY: Int(lift.y)) == RowGeometry.row(atY: Int(place.y))
        }

        /// What the wearer has done whose finger lifts at a place without having dragged anything.
        fileprivate func lifted(at lift: Place) -> Action {
            guard lift.isOnPanel else { return .nothing }
            guard let target else { return .tap(self, liftedAt: lift) }
            return hasRow(of: lift) ? .tapRow(target) : .nothing
        }
    }

    private enum State: BitwiseCopyable {
        /// No finger is on the panel, as far as the controller has said.
        case up
        /// A finger is where it came down, up to the slop.
        case resting(Press)
        /// It has moved farther, and it is not decided what that becomes. A long press it is not.
        case wandering(Press)
        /// It drags. At this line it was when the rows were as they are now.
        case dragging(from: Int16)
        /// The touch has had its effect, or something else has happened meanwhile: its lift means nothing.
        case spent
    }

    private var state = State.up

    /// How far a finger moves before that is meant: more than 8 pixels. Android takes 8 density-independent pixels
    /// (`ViewConfiguration.TOUCH_SLOP`), 160 to the inch, and this panel has 176 pixels to the inch: 144 x 168 on a diagonal of 1.26
    /// inches (LS013B7DH05).
    static var slop: Int { 8 }
    /// How far a finger moves sideways for a swipe: 36 pixels, a quarter of the panel.
    static var swipeDistance: Int { PanelGeometry.width / 4 }
    /// How long a finger rests for a long press: 500 ms, as `UILongPressGestureRecognizer.minimumPressDuration` is by default.
    static var longPressTime: Microseconds { .milliseconds(500) }

    /// When the finger will have rested for a long press, nil where that would mean nothing.
    var deadline: Instant? {
        guard case .resting(let press) = state, press.target != nil else { return nil }
        return press.since + TouchGesture.longPressTime
    }

    /// A finger came down, on the row of `target` where there is one. A touch before it whose lift was lost is forgotten. Places
    /// outside the panel are ignored.
    mutating func press(at place: Place, on target: TouchTargets.Target?, at time: Instant) {
        state = place.isOnPanel ? .resting(Press(place: place, target: target, since: time)) : .up
    }

    /// The finger is at another place.
    mutating func move(to place: Place, at time: Instant) -> Action {
        switch state {
        case .up, .spent: return .nothing
        case .dragging(let line): return drag(from: line, to: place)
        case .resting(let press):
            // The lift of a finger that rested for long enough may be heard before the watch has found time for the long press.
            if let action = expire(at: time) { return action }
            return move(press, to: place)
        case .wandering(let press): return move(press, to: place)
        }
    }

    /// The finger has lifted at a place: the row of the tap that this most often is, nil where it is something else, of which nothing is
    /// known yet. The wearer waits for a tap, so that it does not go the way of all others.
    @inline(__always)
    mutating func liftForTap(at place: Place, at time: Instant) -> TouchTargets.Target? {
        guard case .resting(let press) = state, let target = press.target,
            time < press.since + TouchGesture.longPressTime, place.isNear(press.place), press.hasRow(of: place)
        else { return nil }
        state = .up
        return target
    }

    /// The finger has lifted. Where it lifts is the last place that it has moved to.
    @inline(never)
    mutating func lift(at place: Place, at time: Instant) -> Action {
        let action = move(to: place, at: time)
        defer { state = .up }
        switch state {
        case .resting(let press), .wandering(let press): return press.lifted(at: place)
        case .up, .dragging, .spent: return action
        }
    }

    /// Time has passed. Returns the long press where it was that.
    mutating func expire(at time: Instant) -> Action? {
        guard let deadline, time >= deadline, case .resting(let press) = state, let target = press.target else {
            return nil
        }
        state = .spent
        return .longPress(target.item)
    }

    /// Something else has happened, such as a turn of the crown or a question of a phone's: what is under the finger now was not
    /// meant.
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

    /// Whole rows only, and the next one a whole row farther, so that a trembling finger does not turn a row back and forth.
    private mutating func drag(from line: Int16, to place: Place) -> Action {
        let rows = (Int(line) - Int(place.y)) / RowGeometry.rowHeight
        state = .dragging(from: Int16(truncatingIfNeeded: Int(line) - rows * RowGeometry.rowHeight))
        return rows == 0 ? .nothing : .drag(rows: rows)
    }
}
