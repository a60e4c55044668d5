import Foundation
import HostSystem
import Wormhole

/// A program that answers questions: it gets each as JSON on its standard input, and prints the answer.
struct AnswerProgram: Sendable {
    /// Why a question has no answer.
    enum Fault: Error, Equatable, CustomStringConvertible {
        case program(FilterProgram.Fault)
        case notJSON(String)

        var description: String {
            switch self {
            case .program(let fault): fault.description
            case .notJSON(let reason): "printed no answer: \(reason)"
            }
        }
    }

    /// The most bytes that it may print: what a message holds.
    static let longestAnswer = 64 << 10

    /// The program, which PATH finds where it is no path, and its arguments.
    let words: [String]
    let limit: DurationChoice

    /// Looks whether there is such a program, before anybody asks.
    ///
    /// - Throws: `.wrongUse`, which says what to do.
    func check() throws {
        let name = words[0]
        do throws(ProgramSearch.Fault) {
            try ProgramSearch.check(name, in: ProcessInfo.processInfo.environment["PATH"])
        } catch {
            throw WormholeFailure.wrongUse(AnswerProgram.advice(error, on: name))
        }
    }

    private static func advice(_ fault: ProgramSearch.Fault, on name: String) -> String {
        switch fault {
        case .missing: "\(name): there is no such program: name another one, or put it there first"
        case .notExecutable: "\(name) is no program: make it executable (chmod +x), or name another one"
        case .notInPath: "no program '\(name)' is in PATH: install it, or name it by its path"
        }
    }

    /// Runs the program for one question.
    func answer(_ question: JSONText) async -> Result<JSONText, Fault> {
        let program = FilterProgram(words: words, limit: limit, mostBytes: AnswerProgram.longestAnswer)
        switch await program.output(for: Array("\(question.text)\n".utf8)) {
        case .failure(let fault): return .failure(.program(fault))
        case .success(let printed):
            let text = String(decoding: printed, as: UTF8.self)
            do throws(WormholeError) { return .success(try JSONText(text: text.isEmpty ? "null" : text)) } catch {
                return .failure(.notJSON(error.description))
            }
        }
    }
}
