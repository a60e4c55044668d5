import Watch
import WatchLink

extension ScriptRunner {
    /// The most touches whose taps are not known yet: half of what the board keeps.
    private static let mostPending = BegunTaps.capacity / 2

    /// What a drag takes that does not say, and a swipe.
    static let dragTime = Microseconds.milliseconds(300)
    static let swipeTime = Microseconds.milliseconds(150)
    /// How long a finger rests on a row where the script does not say: longer than a long press takes.
    static let holdTime = Microseconds.milliseconds(600)
    /// How often a finger that moves is reported: as often as the profile's touch controller scans.
    private static let moveInterval = Microseconds.milliseconds(10)

    /// Taps the panel, after a look at it unless the command before was a tap.
    ///
    /// - Parameter row: the row that the tap has to check off, counted from 1; nil where it may be anything.
    mutating func touch(_ tap: [Input], row: Int? = nil) throws(ScriptError) {
        if touches.count >= ScriptRunner.mostPending { _ = try settled() }
        let seen = try lookForTouch()
        if try isAddition(row, on: seen) {
            // The others move up at once, which the wearer sees before the next touch.
            device.sendHavingLooked(tap)
            return look = .dueAfterInput
        }
        let number = device.sendHavingLooked(tap)
        let aim = row.map { PendingTouch.Aim.row($0, obstacle: obstacle(toTapping: $0, on: seen)) } ?? .anything
        touches.append(PendingTouch(aim: aim, place: place, input: number))
    }

    /// Drags a finger over the panel, after a look at it, in a straight line and at one speed.
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

    /// Rests a finger on a row, counted from 1, after a look at it.
    mutating func holdRow(_ row: Int, for length: Microseconds) throws(ScriptError) {
        try comeDown("hold row", .touch(row: row - 1))
        try pass(length)
        lift(.lifted(row: row - 1))
    }

    private mutating func comeDown(_ command: String, _ touch: Input) throws(ScriptError) {
        guard !device.isPaused else { throw error(.paused(command)) }
        _ = try settled()
        _ = try lookForTouch()
        device.sendHavingLooked(touch)
    }

    private mutating func lift(_ input: Input) {
        device.send(input)
        look = .dueAfterInput
    }

    /// The screen as it was when the script last looked, which it does now where that is due.
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

    /// Whether a tap on a row adds a past item, which is no tap that has stages. Fails where there is none.
    private func isAddition(_ row: Int?, on seen: ScreenDescription) throws(ScriptError) -> Bool {
        guard seen.screen == .past, let row else { return false }
        if let obstacle = seen.obstacle(toTapping: row) { throw error(.tapHitNothing(row: row, found: obstacle)) }
        return true
    }

    /// What keeps a tap from checking off its row, as far as the script can see.
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

    /// Fails where the watch has handled a tap that hit nothing. Of touches that it has not handled nothing is said.
    package mutating func judgeTouches(by snapshot: WatchSnapshot) throws(ScriptError) {
        guard let last = touches.last, last.input <= snapshot.handled else { return }
        let miss = PendingTouch.miss(among: touches, in: snapshot)
        touches = []
        if let miss { throw miss }
    }
}
