import Glibc
import Synchronization
import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct ScriptExpectationTests {
    @Test(arguments: [
        ("tap 1\nexpect left 9", "expect left 8", "8 left, found 9"),
        ("expect no row Item 9", "expect no row Item 3", "no row \"Item 3\", found it in row 2"),
        ("expect complication Item 2", "expect complication Eggs", "complication \"Eggs\", found \"Item 2\""),
        (
            "expect text 9 left", "expect text 10 left",
            "text \"10 left\", found \"Groceries, 9 left\", \"1 [ ] Item 2\", "
        ),
        ("press crown\nexpect text complication: Item", "expect row 1 Item 2", "row 1 \"Item 2\", found screen face"),
        ("expect screen face", "expect no row Item 1", "no row \"Item 1\", found screen face"),
    ])
    func `What the screen says`(met: String, unmet: String, message: String) throws {
        // Each script continues with the watch as the scripts before have left it.
        let bench = try WatchBench.connected()
        #expect(failure("tap 1\nwait until settled", on: bench.watch) == nil)
        let script = met.hasPrefix("tap") ? String(met.dropFirst("tap 1\n".count)) : met
        let before = met == "expect screen face" ? "press crown\n" : ""
        #expect(failure(before + script, on: bench.watch) == nil)
        let text = try #require(failure(unmet, on: bench.watch))
        #expect(text.hasPrefix("s:1: expected \(message)"), "\(text)")
    }

    @Test func `A mark of the last tap is judged when it is there`() throws {
        let bench = try WatchBench.connected()
        for mark in ScriptMark.allCases {
            let script = "tap 1\nexpect \(mark.rawValue) within 900ms\nwait until settled"
            #expect(failure(script, on: bench.watch) == nil, "\(mark)")
        }
        for mark in ScriptMark.allCases where mark != .handled {
            let text = try #require(
                failure("wait until settled\ntap 1 or nothing\nexpect \(mark.rawValue) within 0ms", on: bench.watch),
                "\(mark)")
            #expect(text.hasPrefix("s:3: expected the last tap to be \(mark.rawValue) within 0 ms, found "), "\(text)")
            #expect(text.hasSuffix(" ms"), "\(text)")
        }
    }

    @Test func `A tap's marks are those that its history has`() throws {
        let bench = try WatchBench.connected()
        _ = failure("tap 1\nwait until synced", on: bench.watch)
        let updated = try #require(bench.snapshot.taps.last?.tapToUpdate)
        let least = updated.count / 1_000
        #expect(failure("expect updated within \(least + 1)ms", on: bench.watch) == nil)
        #expect(
            failure("expect updated within \(least)ms", on: bench.watch)
                == "s:1: expected the last tap to be updated within \(least) ms, found \(updated.inMilliseconds) ms")
    }

    @Test(arguments: [
        (0 as UInt64, "0"), (8_000, "8"), (9_400, "9.4"), (8_005, "8.005"), (40, "0.04"), (1_000_000, "1000"),
    ])
    func `A length is told exactly, so that none is as long as a limit that it exceeds`(length: UInt64, text: String) {
        #expect(Microseconds(length).inMilliseconds == text)
    }

    @Test func `A mark that does not come fails, and so does one without a tap`() throws {
        let watch = try virtualWatch()
        #expect(
            failure("expect updated within 1s", on: watch)
                == "s:1: expected the last tap to be updated within 1000 ms, found no tap")
        let start = watch.now
        #expect(
            failure("tap 1\nexpect acknowledged within 2s", on: watch)
                == "s:2: expected the last tap to be acknowledged within 2000 ms, found that it is not acknowledged yet"
        )
        #expect(watch.now >= start + .seconds(3) && watch.now < start + .seconds(4))
    }

    @Test func `A tap is felt by its own haptic, and not by the one before`() throws {
        let bench = try WatchBench.connected()
        #expect(failure("tap 1\ntap 2\nexpect haptics 2\nexpect felt within 900ms", on: bench.watch) == nil)
        let taps = bench.snapshot.taps.suffix(2).compactMap(\.felt)
        // The motor of the profile `memory-lcd` needs 20 ms until the wearer feels it.
        #expect(taps == bench.snapshot.haptics.pulses.suffix(2).map { $0.time + .milliseconds(20) })
    }

    @Test func `Haptics are counted since they were last expected`() throws {
        let bench = try WatchBench.connected()
        let script =
            "expect haptics 0\ntap 1\nexpect haptics 1\nexpect haptics 0\nrepeat 2\nwait until settled\ntap 1\nexpect haptics 1\nend"
        #expect(failure(script, on: bench.watch) == nil)
        // Each script counts haptics from 0.
        #expect(failure("expect haptics 1", on: bench.watch) == "s:1: expected 1 haptic, found 0")
        #expect(
            failure("wait until settled\ntap 1\ntap 2\nexpect haptics 3", on: bench.watch)
                == "s:4: expected 3 haptics, found 2")
    }

    @Test func `Waiting for a row, and until nothing is struck`() throws {
        let bench = try WatchBench.connected()
        #expect(failure("tap 1\nwait until row 1 Item 2\nexpect no row Item 1", on: bench.watch) == nil)
        #expect(failure("tap 1\nwait until settled\nexpect row 1 Item 3", on: bench.watch) == nil)
        #expect(
            failure("tap 1\nwait until row 1 Item 9 100ms", on: bench.watch)
                == "s:2: expected row 1 \"Item 9\" within 100 ms, found \"Item 3\"")
        #expect(
            failure("wait until settled\ntap 1\nwait until settled 100ms", on: bench.watch)
                == "s:3: expected every row that was tapped to be gone within 100 ms, found \"Item 4\" on the panel")
        #expect(
            failure("wait until settled\npress crown\nwait until row 1 Item 1 1s", on: bench.watch)
                == "s:3: expected row 1 \"Item 1\" within 1000 ms, found screen face")
    }
}

// MARK: Pictures

extension ScriptExpectationTests {
    private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    @Test func `A picture is accepted, matched, and found to differ`() throws {
        let directory = "/tmp/tapline-pictures-\(getpid())"
        mkdir(directory, 0o700)
        let names = ["list.png", "list.actual.png", "list.difference.png", "not.png", "not.actual.png"]
        defer { for name in names.map({ "/" + $0 }) + [""] { remove(directory + name) } }
        let bench = try WatchBench.connected()
        let (file, stem) = ("\(directory)/main.script", "\(directory)/list")

        #expect(
            failure("\nexpect screenshot list.png", on: bench.watch, file: file)
                == "\(file):2: expected the panel as in \(stem).png, found no such file; the panel is in \(stem).actual.png, "
                + "to accept it: mv \(stem).actual.png \(stem).png")
        rename("\(stem).actual.png", "\(stem).png")
        #expect(failure("expect screenshot list.png", on: bench.watch, file: file) == nil)
        #expect(!exists("\(stem).actual.png"))

        let text = try #require(failure("tap 1\nexpect screenshot list.png", on: bench.watch, file: file))
        #expect(text.hasPrefix("\(file):2: expected the panel as in \(stem).png, found "))
        #expect(
            text.contains(" pixels that differ, x ")
                && text.hasSuffix("; see \(stem).actual.png and \(stem).difference.png"))
        #expect(exists("\(stem).difference.png"))
        #expect(try PanelFrame(portableNetworkGraphics: HostFile.read("\(stem).actual.png")) == bench.snapshot.frame)

        try HostFile.write(Array("text".utf8), to: "\(directory)/not.png")
        let wrong = try #require(failure("expect screenshot not.png", on: bench.watch, file: file))
        #expect(wrong.contains("not a PNG picture"))
        #expect(
            failure("expect screenshot /nowhere/a.png", on: bench.watch)?.hasPrefix(
                "s:1: cannot write /nowhere/a.actual.png") == true)
    }
}

// MARK: What a watch lacks

extension ScriptExpectationTests {
    private final class NotingPhone: ScriptPhone {
        let edits = Mutex<[ScriptPhoneEdit]>([])

        let awaitsAbsent = Mutex<[Bool]>([])

        func make(_ edit: ScriptPhoneEdit) throws(ScriptPhoneError) {
            edits.withLock { $0.append(edit) }
            if edit == .check("9") { throw ScriptPhoneError(reason: "there is no item 9") }
        }

        func left() -> Int { 0 }

        func delivery(awaitingAbsent: Bool) -> ScriptDelivery {
            awaitsAbsent.withLock { if $0.last != awaitingAbsent { $0.append(awaitingAbsent) } }
            return edits.withLock { $0.last == .add("delivered") ? .arrived : .noWatch }
        }
    }

    @Test func `The phone of a script does what it is told, or says why not`() throws {
        let (watch, phone) = (try virtualWatch(), NotingPhone())
        #expect(failure("phone add Rye bread\nphone remove 2", on: watch, phone: phone) == nil)
        #expect(phone.edits.withLock { $0 } == [.add("Rye bread"), .remove("2")])
        #expect(failure("phone check 9", on: watch, phone: phone) == "s:1: the phone: there is no item 9")
        #expect(watch.sent == InputNumber(0))
        // The runner sends the watch one more input. Once the watch has handled that input, it shows the phone's
        // change.
        #expect(failure("phone add delivered\nexpect screen list\nexpect left 3", on: watch, phone: phone) == nil)
        #expect(watch.sent == InputNumber(1) && watch.snapshot.handled == InputNumber(1))
    }

    @Test func `A change waits for a watch that is away unless the script keeps it away`() throws {
        let (watch, phone) = (try virtualWatch(faults: FaultSwitches()), NotingPhone())
        #expect(
            failure("phone add Milk\nfault cut\nphone add Tea\nfault open\nphone add Eggs", on: watch, phone: phone)
                == nil)
        #expect(phone.awaitsAbsent.withLock { $0 } == [true, false, true])
    }

    @Test(arguments: [
        (
            "tap 1\nphone add Milk",
            "s:2: phone needs a phone of the script's own: tapline watch --headless --with-phone"
        ),
        (
            "tap 1\nrepeat 2\npause\nend",
            "s:3: pause needs a watch in real time: leave out --with-phone, whose watch waits for nothing"
        ),
    ])
    func `What a watch cannot do is said before anything is done`(script: String, message: String) throws {
        let watch = try virtualWatch()
        #expect(failure(script, on: watch) == message)
        #expect(watch.sent == InputNumber(0))
    }
}
