import HostSystem

package struct ScriptError: Error, Equatable, Sendable {
    package enum Problem: Equatable, Sendable {
        case unknownCommand(String, known: [String])
        case malformed(fault: String, allowed: String)
        case expectationFailed(expected: String, found: String)
        case tapHitNothing(row: Int, found: String)
        case paused(String)
        case noPhone(String)
        case phoneFailed(reason: String)
        case recordsAlready(file: String)
        case recordsNothing
        case cannotWrite(file: String, reason: String)
        case cannotLoad(file: String, reason: String)
        case cannotRead(file: String, reason: String)
        /// Any other problem. The text is the complete message, without file and line.
        case other(String)
    }

    package var place: ScriptPlace
    package var problem: Problem

    package var file: String { place.file }
    package var line: Int { place.line }

    package init(_ problem: Problem, at place: ScriptPlace) {
        self.problem = problem
        self.place = place
    }
}

extension ScriptError.Problem: Error {}

extension ScriptError: CustomStringConvertible {
    /// One line: file, line number and problem, such as `a.script:4: expected row 1 "Milk", found "Bread"`.
    package var description: String {
        "\(SanitizedLine(file)):\(line): \(problem)"
    }
}

extension ScriptError.Problem: CustomStringConvertible {
    /// The message. U+FFFD replaces its control characters, because it may contain titles from a phone.
    package var description: String { SanitizedLine(text).text }

    private var text: String {
        switch self {
        case .unknownCommand(let word, let known):
            "unknown command \"\(word)\"\(SimilarWord.question(word, among: known)); allowed: "
                + known.joined(separator: ", ")
        case .malformed(let fault, let allowed): "\(fault); allowed: \(allowed)"
        case .expectationFailed(let expected, let found): "expected \(expected), found \(found)"
        case .tapHitNothing(let row, let found):
            "expected tap \(row) to check off a row, found \(found); allowed if it may miss: tap \(row) or nothing"
        case .paused(let command): "\(command): the watch is paused; resume or step it first"
        case .noPhone(let command):
            "\(command) needs a phone of the script's own: tapline watch --headless --with-phone"
        case .phoneFailed(let reason): "the phone: \(reason)"
        case .recordsAlready(let file): "the recording of \(file) goes on: end it first, with record end"
        case .recordsNothing: "record end: no recording goes on; record FILE begins one"
        case .cannotWrite(let file, let reason): "cannot write \(file): \(reason)"
        case .cannotLoad(let file, let reason): "cannot load \(file): \(reason)"
        case .cannotRead(let file, let reason): "cannot read \(file): \(reason)"
        case .other(let message): message
        }
    }
}
