import WatchLink

/// What a finger on the panel means, from when it comes down until it lifts.
///
/// The machine takes the touch controller's inputs with their times and returns what the wearer has done. The result
/// depends only on where the finger was and when: not on how many places were reported in between, nor on how busy the
/// watch was.
struct TouchGesture: BitwiseCopyable {
    enum Action: BitwiseCopyable {
        case nothing
        /// The finger has lifted within the row on which it came down.
        case tapRow(TouchTargets.Target)
        case tap(Press, liftedAt: Place)
        /// The finger has rested on the row of this item for `longPressTime`.
        case longPress(ItemID)
        /// Up, towards later rows, when positive.
        case drag(rows: Int)
        /// To the left, towards what is on the right, when positive.
        case swipe(Int)
    }

    /// A pixel of the panel, or a place beside it to which a finger has slid.
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
        /// The time of the interrupt.
        let since: Instant

        @inline(__always)
        fileprivate func hasRow(of lift: Place) -> Bool {
            // Most fingers have not moved, and those need no look at the rows.
            lift == place || movedWithinRow(to: lift)
        }

        private func movedWithinRow(to lift: Place) -> Bool {
            lift.isOnPanel && RowGeometry.row(atY: Int(lift.y)) == RowGeometry.row(atY: Int(place.y))
        }

        /// The action of a lift after which nothing was dragged.
        fileprivate func lifted(at lift: Place) -> Action {
            guard lift.isOnPanel else { return .nothing }
            guard let target else { return .tap(self, liftedAt: lift) }
            return hasRow(of: lift) ? .tapRow(target) : .nothing
        }
    }

    private enum State: BitwiseCopyable {
        case up
        /// Within the slop of where it came down.
        case resting(Press)
        /// It has moved farther, and is not yet a drag or a swipe. It is no long press any more.
        case wandering(Press)
        /// `from` is the line at which the rows came to be as they are now.
        case dragging(from: Int16)
        /// The touch has had its effect, or was cancelled: its lift means nothing.
        case spent
    }

    private var state = State.up

    /// More than this many pixels count as movement. Android takes 8 density-independent pixels of 160 to the inch
    /// (`ViewConfiguration.TOUCH_SLOP`). This panel has 176 to the inch: 144 x 168 on a diagonal of 1.26 inches
    /// (LS013B7DH05).
    static var slop: Int { 8 }
    /// A quarter of the panel: 36 pixels.
    static var swipeDistance: Int { PanelGeometry.width / 4 }
    /// As `UILongPressGestureRecognizer.minimumPressDuration` is by default.
    static var longPressTime: Microseconds { .milliseconds(500) }

    /// When a long press is due; nil if a long press would have no effect.
    var deadline: Instant? {
        guard case .resting(let press) = state, press.target != nil else { return nil }
        return press.since + TouchGesture.longPressTime
    }

    /// Whether a finger that may still tap a row is on it.
    var isOnRow: Bool {
        switch state {
        case .resting(let press), .wandering(let press): press.target != nil
        case .up, .dragging, .spent: false
        }
    }

    /// A finger came down. An earlier touch whose lift was lost is forgotten. Places outside the panel are ignored.
    mutating func press(at place: Place, on target: TouchTargets.Target?, at time: Instant) {
        state = place.isOnPanel ? .resting(Press(place: place, target: target, since: time)) : .up
    }

    mutating func move(to place: Place, at time: Instant) -> Action {
        switch state {
        case .up, .spent: return .nothing
        case .dragging(let line): return drag(from: line, to: place)
        case .resting(let press):
            // The watch may hear of the lift before it has had time for the long press.
            if let action = expire(at: time) { return action }
            return move(press, to: place)
        case .wandering(let press): return move(press, to: place)
        }
    }

    /// The row of a tap that ends here, nil if the lift may mean something else. The most frequent case has its own
    /// short way, because the wearer waits for a tap.
    @inline(__always)
    mutating func liftForTap(at place: Place, at time: Instant) -> TouchTargets.Target? {
        guard case .resting(let press) = state, let target = press.target,
            time < press.since + TouchGesture.longPressTime, place.isNear(press.place), press.hasRow(of: place)
        else { return nil }
        state = .up
        return target
    }

    /// A finger lifts at the last place that it has moved to.
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

    /// Another event came, such as a turn of the crown or a pairing question: the touch was not meant for what is there
    /// now.
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

    /// Drags by whole rows, each a whole row farther, so that a trembling finger does not turn a row back and forth.
    private mutating func drag(from line: Int16, to place: Place) -> Action {
        let rows = (Int(line) - Int(place.y)) / RowGeometry.rowHeight
        state = .dragging(from: Int16(truncatingIfNeeded: Int(line) - rows * RowGeometry.rowHeight))
        return rows == 0 ? .nothing : .drag(rows: rows)
    }
}
