import DeviceModel
import Foundation
import FoundationXML
import Testing
import WatchLink

@testable import CommandSupport

@Suite struct ScriptReportTests {
    private var report: ScriptReport {
        var report = ScriptReport(directory: "my \"tests\"")
        report.scripts = [
            .init(name: "a.script", file: "t/a.script", time: Microseconds(314_100)),
            .init(
                name: "b<&>.script", file: "t/b<&>.script", output: "1 [ ] Milk\n\u{1B}[31m]]>\n",
                time: Microseconds(12_500_000),
                failure: .init(
                    ScriptError(
                        .expectationFailed(expected: "title \"<A & B>\"", found: "\"\u{7}\u{9B}x\""),
                        at: ScriptPlace(file: "t/part", line: 4)), of: "t/b<&>.script")),
        ]
        return report
    }

    @Test func `JUnit has every script, the file and line of a failure, and nothing that XML has no place for`() throws
    {
        #expect(
            report.junit == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="tapline" tests="2" failures="1" errors="0" skipped="0" time="12.814">
                  <testsuite name="my &quot;tests&quot;" tests="2" failures="1" errors="0" skipped="0" time="12.814">
                    <testcase classname="my &quot;tests&quot;" name="a.script" file="t/a.script" time="0.314"/>
                    <testcase classname="my &quot;tests&quot;" name="b&lt;&amp;&gt;.script" file="t/b&lt;&amp;&gt;.script" time="12.500">
                      <failure type="ScriptError" message="t/part:4: expected title &quot;&lt;A &amp; B&gt;&quot;, found &quot;\u{FFFD}\u{FFFD}x&quot;">t/part:4: expected title "&lt;A &amp; B&gt;", found "\u{FFFD}\u{FFFD}x"</failure>
                      <system-out>1 [ ] Milk
                [31m]]&gt;
                </system-out>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
    }

    @Test func `JUnit is well-formed with every character in it`() throws {
        var report = ScriptReport(directory: "all")
        let all = String(String.UnicodeScalarView((0...0x3000 as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)))
        report.scripts = [.init(name: all, file: all, output: all + "\u{FFFE}\u{FFFF}🥛")]
        let parser = XMLParser(data: Data(report.junit.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
    }

    @Test func `The text of a script has its time, and why it failed`() {
        #expect(report.scripts[0].text == "passed   0.31 s  a.script\n")
        #expect(
            report.scripts[1].text == """
                FAILED  12.50 s  b<&>.script
                                 1 [ ] Milk
                                 \u{1B}[31m]]>
                                 t/part:4: expected title "<A & B>", found "\u{FFFD}\u{FFFD}x"

                """)
        #expect(report.sum == "1 passed, 1 failed\n")
    }

    @Test func `A failure of no line names the script`() {
        let failure = ScriptReport.Failure(CommandFailure("t/a: the script cannot be read (why)"), of: "t/a")
        #expect(failure.file == "t/a" && failure.line == nil)
        #expect(failure.message == "t/a: the script cannot be read (why)")
    }
}

@Suite struct ScriptDirectoryTests {
    private func directory(_ names: [String]) throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/tapline-scripts-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for name in names { try Data().write(to: URL(filePath: "\(path)/\(name)")) }
        return path
    }

    @Test func `scripts are in the order of their names, and other files are none`() throws {
        let path = try directory([
            "b.tapline", "a.script", "B.script", "part", ".hidden.script", "c.script~", "list.png",
        ])
        defer { try? FileManager.default.removeItem(atPath: path) }
        let found = try ScriptDirectory(path: path)
        #expect(found.names == ["B.script", "a.script", "b.tapline"])
        #expect(found.path(of: "a.script") == "\(path)/a.script")
        #expect(try ScriptDirectory(path: path + "/").path(of: "a.script") == "\(path)/a.script")
    }

    @Test func `a directory without scripts, and none, are errors of one line`() throws {
        let path = try directory(["part"])
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (place, problem) in [
            (path, "no script in it: no name ends with .script or .tapline"),
            ("\(path)/no", "the directory of scripts cannot be read (No such file or directory)"),
            ("\(path)/part", "the directory of scripts cannot be read (Not a directory)"),
        ] {
            #expect(throws: CommandFailure("\(place): \(problem)")) { try ScriptDirectory(path: place) }
        }
    }
}
