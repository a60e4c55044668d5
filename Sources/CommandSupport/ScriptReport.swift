import DeviceModel
import Foundation
import HostSystem
import Watch
import WatchLink

struct ScriptReport {
    struct Failure {
        /// The path of the file with the failure: the script, or a file that the script includes.
        var file: String
        /// The number of the line, starting at 1; nil if no line is at fault.
        var line: Int?
        /// The error on one line, made safe for a terminal.
        var message: String

        init(_ error: any Error, of script: String) {
            let place = (error as? ScriptError)?.place
            file = place?.file ?? script
            line = place?.line
            message = SanitizedLine("\(error)").text
        }
    }

    struct Script {
        var name: String
        var file: String
        var output = ""
        /// The time on the watch's clock when the script ended; zero if the script never began.
        var time = Microseconds.zero
        var taps: [TapHistory] = []
        /// Nil if the script passed.
        var failure: Failure?

        var seconds: Double { Double(time.count) / 1_000_000 }

        /// A line with the result. If the script failed, its output and the reason follow.
        var text: String {
            let margin = String(repeating: " ", count: 17)
            let word = failure == nil ? "passed" : "FAILED"
            let time = String(format: "%6.2f", seconds)
            let lines = failure.map { output.split(separator: "\n").map(String.init) + [$0.message] } ?? []
            return (["\(word) \(time) s  \(name)"] + lines.map { margin + $0 }).map { $0 + "\n" }.joined()
        }

        fileprivate var object: JSONObject {
            let failure = failure.map { failure -> JSONObject in
                ["file": failure.file, "line": failure.line, "message": failure.message]
            }
            return [
                "name": name, "file": file, "outcome": failure == nil ? "passed" : "failed", "seconds": seconds,
                "output": output, "taps": taps.map(\.object), "failure": failure,
            ]
        }
    }

    var directory: String
    var scripts: [Script] = []

    var passed: Int { scripts.count { $0.failure == nil } }
    var failed: Int { scripts.count - passed }
    var seconds: Double { scripts.reduce(0) { $0 + $1.seconds } }
    var sum: String { "\(passed) passed, \(failed) failed\n" }

    var object: JSONObject {
        [
            "directory": directory, "scripts": scripts.map(\.object), "passed": passed, "failed": failed,
            "seconds": seconds,
        ]
    }
}

extension ScriptReport {
    /// The report in JUnit's XML format, for continuous integration. The directory is a test suite, and each script is a test
    /// case. Control characters other than tabs and line feeds are left out.
    var junit: String {
        let counts =
            "tests=\"\(scripts.count)\" failures=\"\(failed)\" errors=\"0\" skipped=\"0\" time=\"\(Self.time(seconds))\""
        let name = Self.attribute(directory)
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites name=\"tapline\" \(counts)>",
            "  <testsuite name=\"\(name)\" \(counts)>",
        ]
        for script in scripts { lines += Self.lines(of: script, in: name) }
        lines += ["  </testsuite>", "</testsuites>", ""]
        return lines.joined(separator: "\n")
    }

    private static func lines(of script: Script, in suite: String) -> [String] {
        let head =
            "    <testcase classname=\"\(suite)\" name=\"\(attribute(script.name))\" file=\"\(attribute(script.file))\" "
            + "time=\"\(time(script.seconds))\""
        guard script.failure != nil || !script.output.isEmpty else { return ["\(head)/>"] }
        var lines = ["\(head)>"]
        if let failure = script.failure {
            let message = attribute(failure.message)
            lines.append(
                "      <failure type=\"ScriptError\" message=\"\(message)\">\(content(failure.message))</failure>")
        }
        if !script.output.isEmpty { lines.append("      <system-out>\(content(script.output))</system-out>") }
        return lines + ["    </testcase>"]
    }

    private static func time(_ seconds: Double) -> String { String(format: "%.3f", seconds) }

    /// Escapes text for an XML attribute. An XML parser would replace an unescaped line feed or tab by a space.
    private static func attribute(_ text: String) -> String {
        content(text).replacingOccurrences(of: "\"", with: "&quot;").replacingOccurrences(of: "\n", with: "&#10;")
            .replacingOccurrences(of: "\t", with: "&#9;")
    }

    private static func content(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": scalars.append(contentsOf: "&amp;".unicodeScalars)
            case "<": scalars.append(contentsOf: "&lt;".unicodeScalars)
            case ">": scalars.append(contentsOf: "&gt;".unicodeScalars)
            case _ where isAllowed(scalar): scalars.append(scalar)
            case _: break
            }
        }
        return String(scalars)
    }

    /// Whether the report may contain the character. False for characters that XML 1.0 forbids (section 2.2), and for carriage
    /// return, DEL and the C1 control characters.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        case _: false
        }
    }
}

extension TapHistory {
    /// The tap as JSON: its number, which is 1 for the first tap after the watch starts, and the times of its marks. A mark is
    /// a named moment in a tap, such as "updated". The times count from the tap's first mark, the touch interrupt. Marks that
    /// the tap has not reached are left out.
    package var object: JSONObject {
        // The first mark is the touch, from which the other times count.
        let marks = TapMark.all.dropFirst().map { ($0.label, sinceTouch($0)) } + [("felt", touchToFelt)]
        let times = marks.compactMap { label, time in time.map { (label, UInt64($0.count)) } }
        return ["number": tap.count, "microseconds": Dictionary(times) { first, _ in first }]
    }
}
