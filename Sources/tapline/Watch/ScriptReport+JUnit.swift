import Foundation

extension ScriptReport {
    /// The report in the form of JUnit, as continuous integration reads it: a test suite for the directory, a test case for each
    /// script. XML 1.0 has no control characters but tabs and line ends, so that others are left out.
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

    /// As the value of an attribute, in which a line end would become a space.
    private static func attribute(_ text: String) -> String {
        content(text).replacingOccurrences(of: "\"", with: "&quot;").replacingOccurrences(of: "\n", with: "&#10;")
            .replacingOccurrences(of: "\t", with: "&#9;")
    }

    /// As the content of an element.
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

    /// Whether a character may be in a document (XML 1.0, section 2.2), without those of C1, which it advises against.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        case _: false
        }
    }
}
