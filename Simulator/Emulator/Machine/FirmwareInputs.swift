/// Inputs for a firmware before it is measured: `wait 5s; swipe up; tap 42,82`.
package struct FirmwareInputs: Equatable, Sendable {
    package enum Step: Equatable, Sendable {
        case tap(x: Int, y: Int)
        case swipe(Direction)
        case button
        /// In milliseconds.
        case wait(Int)
    }

    package enum Direction: String, CaseIterable, Sendable {
        case up, down, left, right
    }

    package struct Mistake: Error, Equatable, CustomStringConvertible {
        package let words: String

        package var description: String {
            "'\(words)' is no input: use tap X,Y, swipe up, down, left or right, button, or wait with a time such as 500ms "
                + "or 2s, with ; between them"
        }
    }

    package let steps: [Step]
    private static let millisecond = Machine.cyclesPerSecond / 1_000

    /// - Parameter text: steps with `;` or line breaks between them.
    package init(_ text: String) throws(Mistake) {
        var steps: [Step] = []
        for part in text.split(whereSeparator: { $0 == ";" || $0.isNewline }) {
            let words = part.split(separator: " ")
            if words.isEmpty { continue }
            guard let step = FirmwareInputs.step(words) else {
                throw Mistake(words: words.joined(separator: " "))
            }
            steps.append(step)
        }
        self.steps = steps
    }

    private static func step(_ words: [Substring]) -> Step? {
        switch (words[0], words.count) {
        case ("button", 1): return .button
        case ("tap", 2): return point(words[1]).map { .tap(x: $0.x, y: $0.y) }
        case ("swipe", 2): return Direction(rawValue: String(words[1])).map { .swipe($0) }
        case ("wait", 2): return milliseconds(words[1]).map { .wait($0) }
        case _: return nil
        }
    }

    /// Two numbers with a comma between them.
    package static func point(_ text: some StringProtocol) -> (x: Int, y: Int)? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 2, let x = Int(numbers[0]), let y = Int(numbers[1]) else { return nil }
        return (x, y)
    }

    /// A time such as 500ms or 2s, up to an hour.
    package static func milliseconds(_ text: some StringProtocol) -> Int? {
        let (digits, factor) = text.hasSuffix("ms") ? (text.dropLast(2), 1) : (text.dropLast(), 1_000)
        guard text.hasSuffix("s"), let number = Int(digits), (0...3_600_000 / factor).contains(number) else {
            return nil
        }
        return number * factor
    }

    /// Gives the inputs to a firmware. After an input of the wearer, it has half a second to answer.
    package func give(to lab: inout FirmwareLab) throws(FirmwareLabError) {
        for step in steps {
            switch step {
            case .wait(let milliseconds): try wait(milliseconds, &lab)
            case .tap(let x, let y):
                try apply(.touchDown(x: x, y: y), &lab)
                try wait(100, &lab)
                try apply(.touchUp, &lab)
                try wait(500, &lab)
            case .swipe(let direction):
                let (width, height) = lab.machine.board.model.panelSize
                let isForward = direction == .down || direction == .right
                for place in 0...6 {
                    let part = isForward ? 2 + place : 8 - place
                    let isUpright = direction == .up || direction == .down
                    let (x, y) = isUpright ? (width / 2, height * part / 10) : (width * part / 10, height / 2)
                    try apply(place == 0 ? .touchDown(x: x, y: y) : .touchMove(x: x, y: y), &lab)
                    try wait(place == 0 ? 30 : 20, &lab)
                }
                try apply(.touchUp, &lab)
                try wait(500, &lab)
            case .button:
                try apply(.press(.side), &lab)
                try wait(100, &lab)
                try apply(.release(.side), &lab)
                try wait(500, &lab)
            }
        }
    }

    private func wait(_ milliseconds: Int, _ lab: inout FirmwareLab) throws(FirmwareLabError) {
        do throws(FirmwareLab.Failure) {
            try lab.wait(UInt64(milliseconds) * FirmwareInputs.millisecond)
        } catch {
            throw .failed(error)
        }
    }

    private func apply(_ input: WearerInput, _ lab: inout FirmwareLab) throws(FirmwareLabError) {
        do throws(BoardError) { try lab.apply(input) } catch { throw .refused(error) }
    }
}
