import HostSystem

/// The reason why a script failed, with its line.
package struct ScriptError: Error, Equatable, Sendable {
    /// The reason, without the place.
    package enum Problem: Equatable, Sendable {
        /// The first word of the line, this one, is no command.
        case unknownCommand(String)
        /// The command's arguments are wrong: the fault, and the allowed form.
        case malformed(fault: String, allowed: String)
        /// An expectation failed: what was expected, and what was found.
        case expectationFailed(expected: String, found: String)
        /// No tap began: the row, and what was there.
        case tapHitNothing(row: Int, found: String)
        /// The watch stopped before the script had ended.
        case watchStopped
        /// The hardware under the watch's program ended by itself: why.
        case watchFailed(reason: String)
        /// The command needs a running watch, and the watch is paused: the command.
        case paused(String)
        /// A step ended without an event, after the limit of 30 s.
        case nothingHappened
        /// Only the simulated watch has this command.
        case notForThisWatch(String)
        /// The command needs a phone of the script's own: the command.
        case noPhone(String)
        /// The script's phone could not do it.
        case phoneFailed(reason: String)
        /// A recording goes on already, for this file.
        case recordsAlready(file: String)
        /// No recording goes on.
        case recordsNothing
        /// A screenshot or a recording could not be written: the file, and why.
        case cannotWrite(file: String, reason: String)
        /// A file that `load` names is not the state of a watch, or of another one: the file, and why.
        case cannotLoad(file: String, reason: String)
        /// The watch was not restarted: the command, and why.
        case notRestarted(String, reason: String)
        /// A file that the script names could not be read: the file, and why.
        case cannotRead(file: String, reason: String)
        /// A script includes itself: the files from it back to it.
        case includesItself([String])
        /// Something goes deeper, or on for longer, than is allowed.
        case tooMuch(String)
    }

    /// Where.
    package var place: ScriptPlace
    /// The reason.
    package var problem: Problem

    /// The script's name, as the user gave it.
    package var file: String { place.file }
    /// The line, counted from 1.
    package var line: Int { place.line }

    package init(_ problem: Problem, at place: ScriptPlace) {
        self.problem = problem
        self.place = place
    }
}

extension ScriptError.Problem: Error {}

extension ScriptError: CustomStringConvertible {
    /// One line for a person: `FILE:LINE: expected …, found …` or `FILE:LINE: …; allowed: …`.
    package var description: String {
        "\(PlainLine(file)):\(line): \(problem)"
    }
}

extension ScriptError.Problem: CustomStringConvertible {
    /// One line for a person, without the place. Titles in it are a phone's, so it is cleaned.
    package var description: String { PlainLine(text).text }

    private var text: String {
        switch self {
        case .unknownCommand(let word):
            "unknown command \"\(word)\"\(SimilarWord.question(word, among: ScriptParser.commandNames)); allowed: "
                + ScriptParser.commandNames.joined(separator: ", ")
        case .malformed(let fault, let allowed): "\(fault); allowed: \(allowed)"
        case .expectationFailed(let expected, let found): "expected \(expected), found \(found)"
        case .tapHitNothing(let row, let found):
            "expected tap \(row) to check off a row, found \(found); allowed where that may be: tap \(row) or nothing"
        case .watchStopped: "the watch has stopped"
        case .watchFailed(let reason): reason
        case .paused(let command): "\(command): the watch is paused; resume or step it first"
        case .nothingHappened: "step: nothing happened for 30 s"
        case .notForThisWatch(let command): "\(command) works only on the simulated watch"
        case .noPhone(let command):
            "\(command) needs a phone of the script's own: tapline watch --headless --with-phone"
        case .phoneFailed(let reason): "the phone: \(reason)"
        case .recordsAlready(let file): "the recording of \(file) goes on: end it first, with record end"
        case .recordsNothing: "record end: no recording goes on; record FILE begins one"
        case .cannotWrite(let file, let reason): "cannot write \(file): \(reason)"
        case .cannotLoad(let file, let reason): "cannot load \(file): \(reason)"
        case .notRestarted(let command, let reason): "\(command): \(reason)"
        case .cannotRead(let file, let reason): "cannot read \(file): \(reason)"
        case .includesItself(let files): "\(files.first ?? "it") includes itself: \(files.joined(separator: ", "))"
        case .tooMuch(let what): what
        }
    }
}
