import Watch
import WatchLink

extension ScriptRunner {
    /// The most touches whose taps are not known yet: half of what the board keeps.
    private static let mostPending = BegunTaps.capacity / 2

    /// Touches the panel, after a look at it unless the command before was a touch.
    ///
    /// - Parameter row: the row that the touch has to check off, counted from 1; nil where it may be anything.
    mutating func touch(_ input: Input, row: Int? = nil) throws(ScriptError) {
        if touches.count >= ScriptRunner.mostPending { _ = try settled() }
        let seen = try lookForTouch()
        let number = device.sendHavingLooked(input)
        let aim = row.map { PendingTouch.Aim.row($0, obstacle: obstacle(toTapping: $0, on: seen)) } ?? .anything
        touches.append(PendingTouch(aim: aim, place: place, input: number))
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
