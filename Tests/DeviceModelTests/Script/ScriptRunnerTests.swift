import Glibc
import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel

func play(
    _ script: String, on watch: any WatchDevice, file: String = "s", phone: (any ScriptPhone)? = nil
) throws(ScriptError) -> String {
    var printed = ""
    var runner = ScriptRunner(watch, file: file, phone: phone) { printed += $0 }
    try runner.run(script: script)
    return printed
}

func failure(
    _ script: String, on watch: any WatchDevice, file: String = "s", phone: (any ScriptPhone)? = nil
) -> String? {
    do throws(ScriptError) { _ = try play(script, on: watch, file: file, phone: phone) } catch { return "\(error)" }
    return nil
}

@Suite struct ScriptRunnerTests {
    @Test func `A tap is handled before the next expectation is judged`() throws {
        let output = try play(
            """
            expect screen list
            expect title Groceries
            expect row 1 Milk
            tap 1
            describe
            wait 300ms
            expect row 1 Bread
            expect row 2 Apples
            """, on: try virtualWatch())
        #expect(
            output == """
                Groceries, 2 left
                1 [x] Milk
                2 [ ] Bread
                3 [ ] Apples
                phone not connected, 1 message waiting

                """)
    }

    @Test func `Touches, the crown and buttons reach the watch`() throws {
        _ = try play(
            """
            crown 2
            expect row 1 Apples
            touch 3 30
            wait 300ms
            crown -2
            expect row 2 Bread
            press side
            press crown
            expect screen face
            press crown
            expect screen list
            """, on: try virtualWatch())
    }

    @Test(arguments: [
        ("expect title Chores", "expected title \"Chores\", found \"Groceries\""),
        ("expect row 2 Milk", "expected row 2 \"Milk\", found \"Bread\""),
        ("expect row 5 Milk", "expected row 5 \"Milk\", found no row there"),
        ("expect screen face", "expected screen face, found list"),
        ("press crown\nexpect row 1 Milk", "expected row 1 \"Milk\", found screen face"),
    ])
    func `A failed expectation names its line and what was found`(script: String, message: String) throws {
        let line = script.split(separator: "\n").count + 1
        #expect(failure("# first\n" + script, on: try virtualWatch()) == "s:\(line): \(message)")
    }

    @Test func `Nothing is run of a script that has a wrong line`() throws {
        let watch = try virtualWatch()
        #expect(failure("tap 1\nfly", on: watch)?.hasPrefix("s:2: unknown command \"fly\"") == true)
        #expect(watch.sent == InputNumber(0))
    }

    @Test func `Nothing is run after quit`() throws {
        let watch = try virtualWatch()
        let output = try play("tap 2\nquit\nexpect title nonsense\ndescribe", on: watch)
        #expect(output.isEmpty)
        #expect(watch.snapshot.handled == InputNumber(2))
    }

    @Test func `The end of a script waits until everything has been handled`() throws {
        let watch = try virtualWatch()
        _ = try play("tap 2\ntap 3", on: watch)
        // Two taps, and each is a touch and a lift.
        #expect(watch.snapshot.handled == InputNumber(4))
    }

    @Test func `Waiting until synced goes on when the phone has acknowledged`() throws {
        let (radio, phone) = try InMemoryRadio.pair()
        let watch = try virtualWatch(radio: radio)
        phone.connect()
        watch.clock.schedule(at: Instant(microseconds: 3_000_000)) { phone.send([]) }
        _ = try play("tap 1\nwait until synced", on: watch)
        // The time of the acknowledgement, and the time to draw the frame that shows it.
        #expect(watch.now == Instant(microseconds: 3_000_000) + watch.frameTime)
        #expect(phone.receive() == Array("Milk".utf8))
    }

    @Test func `Waiting until synced has an end`() throws {
        let watch = try virtualWatch()
        let deadline = watch.now + .seconds(5)
        #expect(
            failure("tap 1\nwait until synced 5s", on: watch)
                == "s:2: expected watch and phone to be in sync within 5000 ms, "
                + "found phone not connected, 1 message waiting")
        #expect(watch.now == deadline)
    }

    @Test func `A screenshot is a PNG file`() throws {
        let file = "/tmp/tapline-script-\(getpid()).png"
        defer { unlink(file) }
        let watch = try virtualWatch()
        _ = try play("tap 1\nscreenshot \(file)", on: watch)
        #expect(try HostFile.read(file) == watch.snapshot.frame.portableNetworkGraphics())
    }

    @Test func `A screenshot that cannot be written says why`() throws {
        let message = failure("\nscreenshot /nowhere/at/all.png", on: try virtualWatch())
        #expect(message == "s:2: cannot write /nowhere/at/all.png: open: No such file or directory")
    }

    @Test func `A watch that stops ends the script`() throws {
        let watch = try virtualWatch()
        watch.stop()
        #expect(failure("wait 1s", on: watch) == "s:1: the watch has stopped")
        #expect(failure("tap 1\nexpect title Groceries", on: watch) == "s:2: the watch has stopped")
    }

    @Test func `Line by line, lines are counted and run as they come`() throws {
        let watch = try virtualWatch()
        var runner = ScriptRunner(watch, file: "stdin") { _ in }
        #expect(try runner.run(line: "# by hand") == .continues)
        #expect(try runner.run(line: "tap 1") == .continues)
        let error = #expect(throws: ScriptError.self) { try runner.run(line: "tap") }
        #expect(error?.line == 3)
        #expect(try runner.run(line: "expect row 1 Milk") == .continues)
        #expect(try runner.run(line: "quit") == .quit)
        #expect(watch.snapshot.handled == InputNumber(2))
    }

    @Test func `A script plays on a watch with a thread of its own`() throws {
        let board = try SimulatedBoard(flash: BlankFlash(), clock: .real(HostClock()), calendar: .machine)
        let watch = try SimulatedWatch(running: StandInProgram(board: board))
        defer { watch.stop() }
        let output = try play("expect row 1 Milk\ntap 1\ndescribe\npress crown\nexpect screen face", on: watch)
        #expect(output.hasPrefix("Groceries, 2 left\n1 [x] Milk\n"))
    }

    @Test func `A repeat is run as often as it says, and quit ends it`() throws {
        let output = try play("repeat 2\nrepeat 2\ndescribe\nend\nend", on: try virtualWatch())
        #expect(output.split(separator: "\n").count { $0 == "1 [ ] Milk" } == 4)
        #expect(try play("repeat 3\ndescribe\nquit\nend", on: try virtualWatch()).contains("Milk"))
    }

    @Test func `Line by line, a repeat is run at its end`() throws {
        let watch = try virtualWatch()
        var runner = ScriptRunner(watch, file: "stdin") { _ in }
        #expect(try runner.run(line: "repeat 2") == .continues)
        #expect(try runner.run(line: "crown 1") == .continues)
        #expect(watch.sent == InputNumber(0))
        #expect(try runner.run(line: "end") == .continues)
        #expect(watch.sent == InputNumber(2))
        #expect(try runner.run(line: "repeat 2") == .continues)
        let error = #expect(throws: ScriptError.self) { try runner.finish() }
        #expect(error?.line == 4)
    }

    @Test func `Files that a script names are relative to it`() throws {
        let directory = "/tmp/tapline-include-\(getpid())"
        mkdir(directory, 0o700)
        defer { for name in ["/part", "/a.png", ""] { remove(directory + name) } }
        try HostFile.write(Array("tap 1\nscreenshot a.png".utf8), to: "\(directory)/part")
        let watch = try virtualWatch()
        _ = try play("include part", on: watch, file: "\(directory)/main")
        #expect(access("\(directory)/a.png", R_OK) == 0)
        #expect(watch.sent == InputNumber(2))
    }
}
