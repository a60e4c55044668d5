import Watch
import WatchLink

extension ScriptRunner {
    /// The most touches with unknown results: half of what the board keeps.
    private static let mostPending = BegunTaps.capacity / 2

    /// The time of a drag or a swipe unless the script gives one.
    static let dragTime = Microseconds.milliseconds(300)
    static let swipeTime = Microseconds.milliseconds(150)
    /// The time of a held row unless the script gives one: longer than a long press.
    static let holdTime = Microseconds.milliseconds(600)
    /// The scan interval of the profile's touch controller.
    private static let moveInterval = Microseconds.milliseconds(10)

    /// Taps the panel. Waits for an unchanged panel before, unless the last command was a tap.
    ///
    /// - Parameter row: the row to check off, from 1; nil if the tap may hit anything.
    mutating func touch(_ tap: [Input], row: Int? = nil) throws(ScriptError) {
        if touches.count >= ScriptRunner.mostPending { _ = try settled() }
        let seen = try lookForTouch()
        if try isAddition(row, on: seen) {
            // The other rows move up at once, and the wearer sees that before the next touch.
            device.sendOnceShown(tap)
            return look = .dueAfterInput
        }
        let number = device.sendOnceShown(tap)
        let aim = row.map { PendingTouch.Aim.row($0, obstacle: obstacle(toTapping: $0, on: seen)) } ?? .anything
        touches.append(PendingTouch(aim: aim, place: place, input: number))
    }

    /// Waits for an unchanged panel, and then drags in a straight line at constant speed.
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

    /// The screen at the last look, or at a new one if one is due.
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

    /// Whether a tap on a row adds a past item, which has no stages. Fails if the row does not exist.
    private func isAddition(_ row: Int?, on seen: ScreenDescription) throws(ScriptError) -> Bool {
        guard seen.screen == .past, let row else { return false }
        if let obstacle = seen.obstacle(toTapping: row) { throw error(.tapHitNothing(row: row, found: obstacle)) }
        return true
    }

    /// Why a tap will not check off its row; nil if the script sees no reason.
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

/// A touch that may or may not have begun a tap.
struct PendingTouch {
    enum Aim {
        /// The row to check off, and the reason why the tap may not do it.
        case row(Int, obstacle: String?)
        /// It may hit nothing.
        case anything
    }

    let aim: Aim
    let place: ScriptPlace
    let input: InputNumber

    /// The error of the first touch that should have begun a tap, but did not. Nil until the watch has handled all touches.
    static func miss(among touches: [PendingTouch], in snapshot: WatchSnapshot) -> ScriptError? {
        guard let last = touches.last, last.input <= snapshot.handled else { return nil }
        let begun = snapshot.output.begunTaps
        return missed(among: touches, begun).first { $0.error != nil }?.error
    }

    /// The touches that began no tap, in order. If the watch reports several inputs together, this guesses: first those with an
    /// obstacle, then those that may miss, then the latest.
    private static func missed(among touches: [PendingTouch], _ begun: BegunTaps) -> [PendingTouch] {
        var missed: [PendingTouch] = []
        var rest = touches[...]
        while let first = rest.first {
            let (inputs, taps) = begun.inputs(with: first.input)
            let together = rest.prefix { inputs.contains($0.input) }
            rest = rest.dropFirst(together.count)
            let candidates = Array(together.enumerated()).sorted {
                ($0.element.suspicion, $0.offset) > ($1.element.suspicion, $1.offset)
            }
            let misses = candidates.prefix(max(0, together.count - taps)).sorted { $0.offset < $1.offset }
            missed += misses.map(\.element)
        }
        return missed
    }

    /// How likely the touch missed.
    private var suspicion: Int {
        switch aim {
        case .row(_, obstacle: .some): 2
        case .anything: 1
        case .row(_, obstacle: nil): 0
        }
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
