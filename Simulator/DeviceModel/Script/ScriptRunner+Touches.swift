import Watch
import WatchLink

extension ScriptRunner {
    /// The maximum number of touches in `touches`. The board remembers more taps than this, so it knows every touch in
    /// `touches` that began a tap.
    private static let mostPending = BegunTaps.capacity / 2

    static let dragTime = Microseconds.milliseconds(300)
    static let swipeTime = Microseconds.milliseconds(150)
    /// How long `hold row` keeps the finger down by default. A long press begins at 500 ms.
    static let holdTime = Microseconds.milliseconds(600)
    /// The time between two positions of the finger in a drag: the scan interval of the CST816S touch controller.
    private static let moveInterval = Microseconds.milliseconds(10)

    /// Taps the panel. Unless the previous command was also a tap, first waits until the panel has not changed for one scan.
    ///
    /// If `row` is not nil, the tap must check off the item in this row, or add the item again if the screen shows the past
    /// items. If the tap fails to do so, this function or a later wait throws. Row 1 is directly below the title bar. If `row`
    /// is nil, the tap may hit anything.
    mutating func touch(_ tap: [Input], row: Int? = nil) throws(ScriptError) {
        if touches.count >= ScriptRunner.mostPending { _ = try settled() }
        let seen = try screenForTouch()
        if try isAddition(row, on: seen) {
            // The tapped row leaves the past items at once, so the next touch must wait for the new picture.
            device.sendOnceShown(tap)
            return self.seen = .outdatedByInput
        }
        let number = device.sendOnceShown(tap)
        let aim = row.map { PendingTouch.Aim.row($0, obstacle: obstacle(toTapping: $0, on: seen)) } ?? .anything
        touches.append(PendingTouch(aim: aim, place: place, input: number))
    }

    /// Drags a finger in a straight line at constant speed.
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
        _ = try screenForTouch()
        device.sendOnceShown(touch)
    }

    private mutating func lift(_ input: Input) {
        device.send(input)
        seen = .outdatedByInput
    }

    private mutating func screenForTouch() throws(ScriptError) -> ScreenDescription {
        switch seen {
        case .current(let screen): return screen
        case .outdatedByInput: _ = try settled()
        case .outdated: break
        }
        device.waitUntilTouchable()
        let screen = device.snapshot.description
        seen = .current(screen)
        return screen
    }

    private func isAddition(_ row: Int?, on seen: ScreenDescription) throws(ScriptError) -> Bool {
        guard seen.screen == .past, let row else { return false }
        if let obstacle = seen.obstacle(toTapping: row) { throw error(.tapHitNothing(row: row, found: obstacle)) }
        return true
    }

    /// Returns why a tap on this row would change no item. Row 1 is directly below the title bar. Nil if the script knows no
    /// reason.
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

    /// Throws the error of the first tap that hit nothing. Does nothing until the watch has handled every touch in `touches`.
    package mutating func judgeTouches(by snapshot: WatchSnapshot) throws(ScriptError) {
        guard let last = touches.last, last.input <= snapshot.handled else { return }
        let miss = PendingTouch.miss(among: touches, in: snapshot)
        touches = []
        if let miss { throw miss }
    }
}

/// A touch that the script has sent, but whose result the script has not checked yet.
struct PendingTouch {
    enum Aim {
        /// The touch must begin a tap on this row. Row 1 is directly below the title bar. If no tap begins, the error gives
        /// `obstacle` as the reason.
        case row(Int, obstacle: String?)
        case anything
    }

    let aim: Aim
    let place: ScriptPlace
    let input: InputNumber

    /// Returns the error of the first tap that hit nothing. Nil if there is none, or if the watch has not handled all touches
    /// yet.
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
