import DeviceModel
import Foundation

/// What a running watch answers: whether the lines were done, what they printed, and what the watch is like then.
package struct ControlAnswer: Encodable, Equatable, Sendable {
    /// Whether everything was done.
    package enum Outcome: String, Encodable, Sendable {
        case done
        /// A line is wrong, or an expectation was not met: `error` says which.
        case failed
    }

    package var outcome: Outcome
    /// One line that names the script's line.
    package var error: String?
    /// What the lines printed.
    package var output: String?
    package var watch: WatchReport

    /// As one line of JSON.
    var datagram: [UInt8] { ControlCoding.bytes(of: self) }

    /// The outcome in an answer of a watch, nil for what is no answer.
    package static func outcome(in line: [UInt8]) -> Outcome? {
        struct Part: Decodable { let outcome: String }
        return (try? JSONDecoder().decode(Part.self, from: Data(line))).flatMap { Outcome(rawValue: $0.outcome) }
    }
}
