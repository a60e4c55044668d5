import Foundation
import Testing
import Watch
import WatchLink

@testable import DeviceModel

struct ScriptRecordingTests {
    private let bench: WatchBench<ShippingHandler>
    private let directory: String

    init() throws {
        bench = try WatchBench(items: 6, handler: ShippingHandler())
        bench.connect()
        bench.run(for: .seconds(5))
        directory = FileManager.default.temporaryDirectory.path + "/recording-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    }

    private func run(_ script: String, _ extent: ScriptRunner.Extent = .whole) throws -> String {
        var printed = ""
        var runner = ScriptRunner(bench.watch, file: directory + "/s", extent: extent) { printed += $0 }
        try runner.run(script: script)
        return printed
    }

    /// The first bytes of a file beside the script, nil where there is none.
    private func beginning(of name: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(filePath: directory + "/" + name))).map { Array($0.prefix(6)) }
    }

    private func remove() { try? FileManager.default.removeItem(atPath: directory) }

    @Test func `What is shown between record and its end becomes a file beside the script`() throws {
        defer { remove() }
        _ = try run("record a.gif\ntap 1\nwait 1s\nrecord end\nrecord b.gif\nwait 1s\nrecord end")
        #expect(beginning(of: "a.gif") == Array("GIF89a".utf8))
        #expect(beginning(of: "b.gif") == Array("GIF89a".utf8))
        #expect(bench.watch.recorder?.isOn == false)
    }

    @Test(arguments: ["wait 1s", "quit", "expect title Nothing"])
    func `It is written where the script ends, quits or fails`(last: String) throws {
        defer { remove() }
        do { _ = try run("record a.gif\ntap 1\nwait 1s\n\(last)") } catch {
            #expect(last.hasPrefix("expect") && "\(error)".contains(":4: expected title"))
        }
        #expect(beginning(of: "a.gif") == Array("GIF89a".utf8))
    }

    @Test func `That of a part of what somebody does with a watch goes on until it is ended`() throws {
        defer { remove() }
        _ = try run("record a.gif", .part)
        #expect(bench.watch.recorder?.isOn == true)
        _ = try run("tap 1\nwait 1s\nrecord end", .part)
        #expect(beginning(of: "a.gif") == Array("GIF89a".utf8))
    }

    @Test
    func `Two at once, an end without a beginning, and a file that cannot be written are errors with their lines`()
        throws
    {
        defer { remove() }
        let cases = [
            (
                "record a.gif\nrecord b.gif",
                "2: the recording of \(directory)/a.gif goes on: end it first, with record end"
            ),
            ("record end", "1: record end: no recording goes on; record FILE begins one"),
            (
                "record none/a.gif\nrecord end",
                "2: cannot write \(directory)/none/a.gif: open: No such file or directory"
            ),
            ("record a.cast", "1: cannot write \(directory)/a.cast: recordings of this kind are not made here"),
        ]
        for (script, message) in cases {
            let error = #expect(throws: ScriptError.self) { _ = try run(script) }
            #expect(error.map { "\($0)" } == "\(directory)/s:\(message)")
        }
    }

    @Test func `time sets the clock, and zone brings the wearer to another one`() throws {
        defer { remove() }
        let east = { (hours: Int64) in BoardCalendar.machineZone + hours * 3_600 }
        let zone = { (seconds: Int64) in
            let minutes = abs(seconds) / 60
            let (hours, rest) = (minutes / 60, minutes % 60)
            return (seconds < 0 ? "-" : "+") + (hours < 10 ? "0" : "") + "\(hours):" + (rest < 10 ? "0" : "")
                + "\(rest)"
        }
        let printed = try run(
            """
            press crown
            expect text 10:08
            time 18:30
            expect text 18:30
            time 2026-12-24 07:05
            expect text 07:05
            zone \(zone(east(2)))
            expect text 09:05
            zone \(zone(east(-1)))
            expect text 06:05
            describe
            """)
        #expect(printed.hasPrefix("Face, 06:05"))
    }
}
