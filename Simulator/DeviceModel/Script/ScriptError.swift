/// Why a script did not go through: the line, and what is wrong with it.
public struct ScriptError: Error, Equatable, Sendable {
    /// What is wrong.
    public enum Problem: Equatable, Sendable {
        /// The line begins with no command of the language; this is the word that it begins with.
        case unknownCommand(String)
        /// The command's arguments are not what they should be: what is wrong, and the form that is allowed.
        case malformed(fault: String, allowed: String)
        /// The watch is not as it should be: what was expected, and what was found.
        case expectationFailed(expected: String, found: String)
        /// The watch stopped before the script had ended.
        case watchStopped
        /// The hardware under the watch's program ended by itself: why.
        case watchFailed(reason: String)
        /// The watch's time is to go on for the command to end, and stands still: the command.
        case paused(String)
        /// Nothing has happened for so long that a step would not end.
        case nothingHappened
        /// The watch has no such control: the command.
        case notForThisWatch(String)
        /// A screenshot could not be written: the file, and why.
        case cannotWrite(file: String, reason: String)
    }

    /// The script's name, as the user gave it.
    public var file: String
    /// The line, counted from 1.
    public var line: Int
    /// What is wrong.
    public var problem: Problem

    /// `problem`, on line `line` of `file`.
    public init(_ problem: Problem, file: String, line: Int) {
        self.problem = problem
        self.file = file
        self.line = line
    }
}

extension ScriptError: CustomStringConvertible {
    /// One line for a person: `FILE:LINE: expected …, found …` or `FILE:LINE: …; allowed: …`.
    public var description: String {
        "\(file):\(line): \(problem)"
    }
}

extension ScriptError.Problem: CustomStringConvertible {
    /// One line for a person, without the place.
    public var description: String {
        switch self {
        case .unknownCommand(let word):
            "unknown command \"\(word)\"; allowed: \(ScriptParser.commandNames.joined(separator: ", "))"
        case .malformed(let fault, let allowed): "\(fault); allowed: \(allowed)"
        case .expectationFailed(let expected, let found): "expected \(expected), found \(found)"
        case .watchStopped: "the watch has stopped"
        case .watchFailed(let reason): reason
        case .paused(let command): "\(command) would never end while the watch is paused; resume or step it first"
        case .nothingHappened: "nothing has happened for 30 s, so the step ends here"
        case .notForThisWatch(let command): "\(command) is for the simulated watch; this one goes at its own pace"
        case .cannotWrite(let file, let reason): "cannot write \(file): \(reason)"
        }
    }
}
