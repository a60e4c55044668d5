import DeviceModel
import Watch
import WatchLink

/// Performs the simulator's inputs on the emulated board, as slowly as a wearer. After a finger has come down or moved, the
/// next input waits until the touch controller has reported this. A button stays pressed for 60 ms, or for 1.1 s if it is held.
struct WearerActions: Sendable {
    private struct Awaited {
        let number: InputNumber
        /// How many inputs the firmware must still take for this input of the simulator.
        var left: Int
        /// From this cycle on, the input counts as finished, even if `left` is not 0.
        let until: UInt64
    }

    private var waiting: [(input: TimedInput, number: InputNumber)] = []
    private var releases: [(at: UInt64, button: BoardButton)] = []
    private var awaited: [Awaited] = []
    private var finger: (x: Int16, y: Int16)?
    /// The number of moves that `act` has added before a lift, to move the finger to the place of the lift. The firmware takes
    /// each move as an input.
    private var moves = 0
    /// The board's `touchEdge` when the finger last came down or moved. When the board's `touchEdge` changes, the touch
    /// controller has reported the finger.
    private var edgeBefore: UInt64?
    private var isFingerSeen = true

    private static let press = UInt64.milliseconds(60)
    private static let hold = UInt64.milliseconds(1_100)
    private static let patience = UInt64.milliseconds(300)

    mutating func add(_ input: TimedInput, _ number: InputNumber) { waiting.append((input, number)) }

    var due: UInt64? {
        let input = isFingerSeen ? waiting.first.map { $0.input.time.cycle } : nil
        return [input, releases.map(\.at).min(), awaited.first?.until].compactMap(\.self).min()
    }

    var isIdle: Bool { waiting.isEmpty && awaited.isEmpty }

    /// Performs the actions that are due. Returns the number of the newest input that has finished since the last call, or nil
    /// if none has.
    mutating func act(on machine: inout Machine) throws(EmulatorError) -> InputNumber? {
        let now = machine.now
        for release in releases where release.at <= now { try machine.apply(.release(release.button)) }
        releases.removeAll { $0.at <= now }
        if !isFingerSeen { isFingerSeen = machine.board.touchEdge != edgeBefore }
        while let (input, number) = waiting.first, input.time.cycle <= now, isFingerSeen {
            // A finger that lifts at another place has moved to it first.
            if case .lifted(let x, let y) = input.input, let finger, finger != (x, y) {
                moves += 1
                try put(.touchMove(x: Int(x), y: Int(y)), at: (x, y), &machine)
                break
            }
            waiting.removeFirst()
            let count = try act(input.input, on: &machine)
            awaited.append(Awaited(number: number, left: count, until: now + WearerActions.longest(input.input)))
        }
        return over(at: now)
    }

    mutating func taken() {
        if let first = awaited.firstIndex(where: { $0.left > 0 }) { awaited[first].left -= 1 }
    }

    private mutating func over(at now: UInt64) -> InputNumber? {
        var last: InputNumber?
        while let first = awaited.first, first.left <= 0 || first.until <= now {
            last = first.number
            awaited.removeFirst()
        }
        return last
    }

    private static func longest(_ input: Input) -> UInt64 {
        switch input {
        case .hold: hold + patience
        case .crown(let detents): patience + UInt64(detents.magnitude) * .milliseconds(40)
        case .touch, .moved, .lifted, .press, .pairing, .wrist, .clock: patience
        }
    }

    /// Performs an input of the simulator. Returns how many inputs the firmware will take for it.
    private mutating func act(_ input: Input, on machine: inout Machine) throws(EmulatorError) -> Int {
        switch input {
        case .touch(let x, let y): try put(.touchDown(x: Int(x), y: Int(y)), at: (x, y), &machine)
        case .moved(let x, let y):
            guard let finger else { return 0 }
            try put(.touchMove(x: Int(x), y: Int(y)), at: (x, y), &machine)
            // The firmware takes no input for a finger that has stayed in its place.
            return finger == (x, y) ? 0 : 1
        case .lifted:
            guard finger != nil else { return 0 }
            finger = nil
            try machine.apply(.touchUp)
            defer { moves = 0 }
            return 1 + moves
        case .crown(let detents):
            try machine.apply(.turnCrown(detents: Int(detents)))
            return abs(Int(detents))
        case .press(let button): try press(button.onBoard, for: WearerActions.press, &machine)
        case .hold(let button):
            try press(button.onBoard, for: WearerActions.hold, &machine)
            // The firmware takes the press, and then the hold.
            return 2
        // The board has no sensor for these, and the firmware pairs with no phone.
        case .pairing, .wrist, .clock: return 0
        }
        return 1
    }

    private mutating func put(
        _ input: WearerInput, at place: (x: Int16, y: Int16), _ machine: inout Machine
    ) throws(EmulatorError) {
        (edgeBefore, isFingerSeen, finger) = (machine.board.touchEdge, false, place)
        try machine.apply(input)
    }

    private mutating func press(
        _ button: BoardButton, for length: UInt64, _ machine: inout Machine
    ) throws(EmulatorError) {
        try machine.apply(.press(button))
        releases.append((machine.now + length, button))
    }
}

extension Button {
    fileprivate var onBoard: BoardButton {
        switch self {
        case .crown: .crown
        case .side: .side
        }
    }
}

extension Instant {
    var cycle: UInt64 { microseconds * 64 }

    init(cycle: UInt64) { self.init(microseconds: cycle / 64) }
}
