/// What the wearer, the charger or a script does to the watch.
package enum WearerInput: Equatable, Sendable {
    /// A finger comes down at a pixel. If a finger is already down, it moves there.
    case touchDown(x: Int, y: Int)
    case touchMove(x: Int, y: Int)
    case touchUp
    case press(BoardButton)
    case release(BoardButton)
    /// Turns the crown, towards later rows of a list if `detents` is positive.
    case turnCrown(detents: Int)
    case charger(Charger)
    case battery(percent: Int)
    case motion(WristMotion)
}

package enum BoardButton: Equatable, Sendable {
    case side, crown
}

package enum Charger: Equatable, Sendable {
    case unplugged, charging
    /// Plugged in, with a full battery.
    case full
}

package enum WristMotion: Equatable, Sendable {
    /// The acceleration along the chip's axes, in thousandths of g, until the next such input.
    case acceleration(x: Int, y: Int, z: Int)
    case steps(Int)
    /// The wearer turns the wrist to look at the watch.
    case tilt
    case doubleTap
}

/// The devices of a board that a script can remove. An absent device does not answer on its bus.
package struct BoardParts: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let panel = BoardParts(rawValue: 1)
    package static let flash = BoardParts(rawValue: 2)
    package static let touch = BoardParts(rawValue: 4)
    package static let accelerometer = BoardParts(rawValue: 8)
}
