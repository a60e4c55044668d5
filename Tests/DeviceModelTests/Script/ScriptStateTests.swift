import Foundation
import TestDoubles
import TestSupport
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct ScriptStateTests {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("states-\(UInt64.random(in: 0 ... .max))").path

    private func play(_ script: String, on watch: any WatchDevice) -> String? {
        failure(script, on: watch, file: "\(directory)/s.script")
    }

    @Test func `what follows load sees the watch as it was`() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let bench = try WatchBench.connected(items: 4)
        let script = """
            tap 1
            battery 30
            time 2026-11-20 23:30
            save bug.json
            tap 2
            time 08:00
            battery 80
            wait until settled
            expect row 1 Item 3
            load bug.json
            expect row 1 Item 2
            expect row 2 Item 3
            expect left 3
            restart
            expect row 1 Item 2
            press side
            press side
            press crown
            expect text 23:30
            reset
            expect left 0
            """
        #expect(play(script, on: bench.watch) == nil)
        #expect(bench.watch.battery?.state.percent == 30)
    }

    @Test func `a clock that would leave its years is refused in a line, and goes on`() throws {
        let watch = try WatchBench.connected(items: 4).watch
        #expect(play("zone +00:00\ntime 1970-01-01 05:00\nzone -05:00\ntime 00:10", on: watch) == nil)
        let error = try #require(play("zone -06:00", on: watch))
        #expect(error.contains("the watch would show a time before 1970; allowed: a time from 1970 to 2105"))
        #expect(watch.calendar?.zoneSeconds == -5 * 3_600)
        #expect(
            play("time 2105-12-31 23:59\nzone +14:00\ntime 10:00\ntime 1970-01-02 00:00\ntime 03:00", on: watch) == nil)
    }
}

struct ScriptRecordingTests {
    private let bench: WatchBench<ShippingHandler>
    private let temporary = TemporaryDirectory()
    private var directory: String { temporary.path }

    init() throws {
        bench = try WatchBench.connected(items: 6, for: .seconds(5))
    }

    private func run(_ script: String, endsOwnRecording: Bool = true) throws -> String {
        var printed = ""
        var runner = ScriptRunner(bench.watch, file: directory + "/s", endsOwnRecording: endsOwnRecording) {
            printed += $0
        }
        try runner.run(script: script)
        return printed
    }

    private func beginning(of name: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(filePath: directory + "/" + name))).map { Array($0.prefix(6)) }
    }

    @Test func `What is shown between record and its end becomes a file beside the script`() throws {
        _ = try run("record a.gif\ntap 1\nwait 1s\nrecord end\nrecord b.gif\nwait 1s\nrecord end")
        #expect(beginning(of: "a.gif") == Array("GIF89a".utf8))
        #expect(beginning(of: "b.gif") == Array("GIF89a".utf8))
        #expect(!bench.watch.recorder.isOn)
    }

    @Test(arguments: ["wait 1s", "quit", "expect title Nothing"])
    func `It is written where the script ends, quits or fails`(last: String) throws {
        do { _ = try run("record a.gif\ntap 1\nwait 1s\n\(last)") } catch {
            #expect(last.hasPrefix("expect") && "\(error)".contains(":4: expected title"))
        }
        #expect(beginning(of: "a.gif") == Array("GIF89a".utf8))
    }

    @Test func `A recording in a part of a session goes on until it is ended`() throws {
        _ = try run("record a.gif", endsOwnRecording: false)
        #expect(bench.watch.recorder.isOn)
        _ = try run("tap 1\nwait 1s\nrecord end", endsOwnRecording: false)
        #expect(beginning(of: "a.gif") == Array("GIF89a".utf8))
    }

    @Test
    func `Two at once, an end without a beginning, and a file that cannot be written are errors with their lines`()
        throws
    {
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
        ]
        for (script, message) in cases {
            let error = #expect(throws: ScriptError.self) { _ = try run(script) }
            #expect(error.map { "\($0)" } == "\(directory)/s:\(message)")
        }
    }

    @Test func `time sets the clock, and zone brings the wearer to another one`() throws {
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
