/// What the wearer, the charger or a script does to the watch.
package enum WearerInput: Equatable, Sendable {
    /// A finger comes down at a pixel. If a finger is already down, it moves there.
    case touchDown(x: Int, y: Int)
    case touchMove(x: Int, y: Int)
    case touchUp
    case press(BoardButton)
    case release(BoardButton)
    /// Turns the crown, towards later rows if positive.
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
    /// The movement with which a wearer looks at the watch.
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
    package static let heartRate = BoardParts(rawValue: 16)
}

/// Why a board refuses an input or a file.
package enum BoardError: Error, Equatable, Sendable {
    case outsidePanel(x: Int, y: Int, width: Int, height: Int)
    /// No finger is on the panel.
    case noFinger
    case noCrown
    /// The battery's charge is not from 0 to 100 percent.
    case charge(Int)
    /// An acceleration of more than 16 g, or a number of steps that the chip cannot count.
    case motion
    /// A flash file has this number of bytes, which is not the size of the chip.
    case flashSize(Int)
}

extension BoardError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .outsidePanel(let x, let y, let width, let height):
            "a touch at \(x),\(y) is outside of the panel: use 0 to \(width - 1) and 0 to \(height - 1)"
        case .noFinger: "no finger is on the panel: touch it first"
        case .noCrown: "this board has no crown: use the side button"
        case .charge(let percent): "a battery has no charge of \(percent) %: use 0 to 100"
        case .motion: "the accelerometer measures at most 16 g, and counts up to 4,294,967,295 steps"
        case .flashSize(let bytes):
            "the file of the flash chip has \(bytes) bytes: give one of \(SerialFlash.size), or none for an erased chip"
        }
    }
}
