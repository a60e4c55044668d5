import Watch
import WatchLink

extension ScriptRunner {
    /// The most touches whose results are not known yet: half of those that the board remembers.
    private static let mostPending = BegunTaps.capacity / 2

    /// The default times of a drag and a swipe.
    static let dragTime = Microseconds.milliseconds(300)
    static let swipeTime = Microseconds.milliseconds(150)
    /// The default time for which a row is held, longer than a long press.
    static let holdTime = Microseconds.milliseconds(600)
    /// The time between two moves of a finger, which is the scan interval of the profile's touch controller.
    private static let moveInterval = Microseconds.milliseconds(10)

    /// Taps the panel. Waits for an unchanged panel first, unless the last command was a tap.
    ///
    /// - Parameter row: the row that the tap must check off, from 1. Nil if the tap may hit anything.
    mutating func touch(_ tap: [Input], row: Int? = nil) throws(ScriptError) {
        if touches.count >= ScriptRunner.mostPending { _ = try settled() }
        let seen = try lookForTouch()
        if try isAddition(row, on: seen) {
            // The item leaves the past items at once, and the wearer sees the rows move before the next touch.
            device.sendOnceShown(tap)
            return look = .dueAfterInput
        }
        let number = device.sendOnceShown(tap)
        let aim = row.map { PendingTouch.Aim.row($0, obstacle: obstacle(toTapping: $0, on: seen)) } ?? .anything
        touches.append(PendingTouch(aim: aim, place: place, input: number))
    }

    /// Waits for an unchanged panel, then drags in a straight line at constant speed.
    mutating func drag(from start: ScriptPixel, to end: ScriptPixel, over length: Microseconds) throws(ScriptError) {
        try comeDown("drag", .touch(x: start.x, y: start.y))
        let steps = max(1, Int(length.count / ScriptRunner.moveInterval.count))
        for step in 1...steps {
            try pass(Microseconds(length.count / UInt64(steps)))
            let x = Int(start.x) + (Int(end.x) - Int(start.x)) * step / steps
            let y = Int(start.y) + (Int(end.y) - Int(start.y)) * step / steps
            device.send(.moved(x: Int16(x), y: Int16(y)))
        }
        lift(.lifted(x: end.x, y: end.y))
    }

    mutating func holdRow(_ row: Int, for length: Microseconds) throws(ScriptError) {
        try comeDown("hold row", .touch(row: row - 1))
        try pass(length)
        lift(.lifted(row: row - 1))
    }

    private mutating func comeDown(_ command: String, _ touch: Input) throws(ScriptError) {
        guard !device.isPaused else { throw error(.paused(command)) }
        _ = try settled()
        _ = try lookForTouch()
        device.sendOnceShown(touch)
    }

    private mutating func lift(_ input: Input) {
        device.send(input)
        look = .dueAfterInput
    }

    /// The screen that the script last saw. Reads the screen again if it may have changed since.
    private mutating func lookForTouch() throws(ScriptError) -> ScreenDescription {
        switch look {
        case .taken(let seen): return seen
        case .dueAfterInput: _ = try settled()
        case .due: break
        }
        device.look()
        let seen = device.snapshot.description
        look = .taken(seen)
        return seen
    }

    /// Whether a tap on a row adds a past item instead of checking one off. Throws if the row does not exist.
    private func isAddition(_ row: Int?, on seen: ScreenDescription) throws(ScriptError) -> Bool {
        guard seen.screen == .past, let row else { return false }
        if let obstacle = seen.obstacle(toTapping: row) { throw error(.tapHitNothing(row: row, found: obstacle)) }
        return true
    }

    /// The reason why a tap may not check off its row. Nil if the script sees none.
    private func obstacle(toTapping row: Int, on seen: ScreenDescription) -> String? {
        if let obstacle = seen.obstacle(toTapping: row) { return obstacle }
        let first = touches.first { touch in
            switch touch.aim {
            case .row(row, obstacle: nil): true
            case .row, .anything: false
            }
        }
        return first.map { "a row that the tap of line \($0.place.line) has checked off" }
    }

    /// Throws if the watch has handled a tap that hit nothing.
    package mutating func judgeTouches(by snapshot: WatchSnapshot) throws(ScriptError) {
        guard let last = touches.last, last.input <= snapshot.handled else { return }
        let miss = PendingTouch.miss(among: touches, in: snapshot)
        touches = []
        if let miss { throw miss }
    }
}

/// A touch whose result is not known yet: it may begin a tap on a row or hit nothing.
struct PendingTouch {
    enum Aim {
        /// The tap must check off this row. `obstacle` is the reason why it may fail.
        case row(Int, obstacle: String?)
        /// The touch may hit nothing.
        case anything
    }

    let aim: Aim
    let place: ScriptPlace
    let input: InputNumber

    /// The error of the first touch that should have begun a tap and did not. Nil until the watch has handled all touches.
    static func miss(among touches: [PendingTouch], in snapshot: WatchSnapshot) -> ScriptError? {
        guard let last = touches.last, last.input <= snapshot.handled else { return nil }
        return touches.first { $0.error != nil && !snapshot.output.begunTaps.contains($0.input) }?.error
    }

    private var error: ScriptError? {
        switch aim {
        case .row(let row, let obstacle):
            ScriptError(
                .tapHitNothing(row: row, found: obstacle ?? "a row on which the watch began no tap"), at: place)
        case .anything: nil
        }
    }
}
