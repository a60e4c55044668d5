import DeviceModel
import Foundation
import HostSystem

/// What came of the scripts of a directory.
struct ScriptReport: Encodable, Equatable {
    /// Whether a script did what it expects.
    enum Outcome: String, Encodable {
        case passed, failed
    }

    /// Why a script failed.
    struct Failure: Encodable, Equatable {
        /// The file of the line that failed; another one than the script's where that is included.
        var file: String
        /// Counted from 1; nil where it is no line's fault.
        var line: Int?
        /// One line, as it is shown.
        var message: String

        init(_ error: any Error, of script: String) {
            let place = (error as? ScriptError)?.place
            file = place?.file ?? script
            line = place?.line
            message = PlainLine("\(error)").text
        }
    }

    struct Script: Encodable, Equatable {
        /// Its name in the directory.
        var name: String
        /// Its path.
        var file: String
        var outcome: Outcome
        var seconds: Double
        /// What `describe` has printed.
        var output: String
        var failure: Failure?

        init(name: String, file: String, seconds: Double, output: String, failure: Failure?) {
            (self.name, self.file, self.seconds, self.output) = (name, file, seconds, output)
            self.failure = failure
            outcome = failure == nil ? .passed : .failed
        }

        /// What is shown of it: its line, and of one that failed what it has printed and why.
        var text: String {
            let margin = String(repeating: " ", count: 17)
            let word =
                switch outcome {
                case .passed: "passed"
                case .failed: "FAILED"
                }
            let time = String(format: "%.2f", seconds)
            let padding = String(repeating: " ", count: max(0, 6 - time.count))
            let lines = failure.map { output.split(separator: "\n").map(String.init) + [$0.message] } ?? []
            return (["\(word) \(padding)\(time) s  \(name)"] + lines.map { margin + $0 }).map { $0 + "\n" }.joined()
        }
    }

    /// The directory.
    var directory: String
    var scripts: [Script] = []

    var passed: Int { scripts.count { $0.outcome == .passed } }
    var failed: Int { scripts.count - passed }
    var seconds: Double { scripts.reduce(0) { $0 + $1.seconds } }
    /// The last line.
    var sum: String { "\(passed) passed, \(failed) failed\n" }

    private enum CodingKeys: String, CodingKey {
        case directory, scripts, passed, failed, seconds
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(directory, forKey: .directory)
        try container.encode(scripts, forKey: .scripts)
        try container.encode(passed, forKey: .passed)
        try container.encode(failed, forKey: .failed)
        try container.encode(seconds, forKey: .seconds)
    }
}
