import Foundation
import TestSupport
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct WatchStateFileTests {
    private static let geometry = FlashGeometry(sectorCount: 4)

    private func state(_ change: (inout WatchState) -> Void = { _ in }) -> WatchState {
        var state = WatchState(
            flash: FlashImage(erased: Self.geometry), calendar: CalendarReading(keptBy: .watch, zone: 0),
            clock: WatchState.Clock(speed: .real, state: .running), faults: WatchFaults(), battery: .full, link: .down)
        change(&state)
        return state
    }

    private func error(_ bytes: [UInt8]) -> WatchStateError? {
        do throws(WatchStateError) {
            _ = try WatchState(json: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func `any state is read back as it was`() throws {
        try withSeeds(50, "states") { random, seed in
            var faults = WatchFaults(
                loss: Double(Int.random(in: 0...100, using: &random)) / 100,
                jitter: .milliseconds(.random(in: 0...10_000, using: &random)),
                phone: .milliseconds(.random(in: 0...60_000, using: &random)),
                flash: Bool.random(using: &random) ? .typical : .maximum,
                supply: Bool.random(using: &random) ? .sufficient : .low)
            faults.link =
                [.open, .cut, .cutUntil(Instant(microseconds: .random(in: 0...5_000_000, using: &random)))]
                .randomElement(using: &random) ?? .open
            let time = UInt32.random(in: 0 ... .max, using: &random)
            var bytes = [UInt8](repeating: 0xFF, count: Self.geometry.capacity)
            let place = Int.random(in: 0..<3, using: &random) * 4_096
            bytes.replaceSubrange(place..<place + 4_096, with: random.bytes(4_096))
            let written = state {
                $0.flash = FlashImage(Self.geometry, bytes: bytes) ?? $0.flash
                $0.calendar = CalendarReading(
                    shows: Bool.random(using: &random) ? time : nil,
                    keptBy: Bool.random(using: &random) ? .watch : .machine,
                    zone: .random(in: -50_400...50_400, using: &random))
                $0.clock.speed = ClockSpeed(.random(in: 0.1...1_000, using: &random)) ?? .real
                $0.clock.state = Bool.random(using: &random) ? .running : .paused
                $0.faults = faults
                $0.battery =
                    BatteryState(
                        percent: .random(in: 0...100, using: &random),
                        isCharging: .random(using: &random))
                    ?? .full
                $0.link = Bool.random(using: &random) ? .up : .down
            }
            let read = try WatchState(json: written.json)
            #expect(read == written, "seed \(seed)")
        }
    }

    @Test(arguments: Fault.all) func `every size of every fault is read back`(fault: Fault) throws {
        var faults = WatchFaults()
        for _ in 0..<10 {
            faults.make(fault.next(faults), at: .start)
            #expect(try WatchState(json: state { $0.faults = faults }.json).faults == faults)
        }
    }

    @Test func `a page describes every key of the file`() throws {
        let page = try #require(try Pages.texts().first { $0.contains("`\(WatchState.format)`") })
        let whole = state { $0.faults.link = .cutUntil(.start + .seconds(1)) }.json
        for key in String(decoding: whole, as: UTF8.self).matches(of: /"(\w+)" :/).map(\.1) {
            #expect(page.contains("`\(key)`"), "\(key)")
        }
    }

    @Test func `erased sectors are left out`() throws {
        let text = String(decoding: state().json, as: UTF8.self)
        #expect(text.contains("\"contents\" : {\n\n    }"))
        #expect(text.hasSuffix("}\n"))
    }

    @Test func `a part of a file is no state, wherever it ends`() {
        let bytes = state().json
        for count in 1..<bytes.count - 2 { #expect(error(Array(bytes.prefix(count))) != nil, "\(count) bytes") }
        #expect(error(Array(bytes.prefix(bytes.count / 2))) == .damaged("end"))
    }

    @Test(arguments: [
        ("", WatchStateError.empty),
        ("{}", .notAState),
        ("[1, 2]", .notAState),
        ("tap 1\n", .notAState),
        ("{\"format\": \"something else\", \"version\": 1}", .notAState),
        ("{\"format\": \"tapline watch state\", \"version\": 7}", .laterVersion(7)),
        ("{\"format\": \"tapline watch state\", \"version\": 0}", .damaged("version")),
        ("{\"format\": \"tapline watch state\", \"version\": 1}", .damaged("flash")),
    ])
    func `what is no state says so`(text: String, wanted: WatchStateError) {
        #expect(error(Array(text.utf8)) == wanted)
    }

    @Test(arguments: [
        ("\"percent\" : 100", "\"percent\" : 101", "battery.percent"),
        ("\"percent\" : 100", "\"percent\" : 100, \"percent\" : 99", "percent"),
        ("\"charging\" : \"off\"", "\"charging\" : \"maybe\"", "battery.charging"),
        ("\"speed\" : 1", "\"speed\" : 5000", "clock.speed"),
        ("\"state\" : \"running\"", "\"state\" : \"flying\"", "clock.state"),
        ("\"zone\" : 0", "\"zone\" : 9999999", "calendar.zone"),
        ("\"zone\" : 0", "\"zone\" : -9223372036854775808", "calendar.zone"),
        ("\"keptBy\" : \"watch\"", "\"keptBy\" : \"nobody\"", "calendar.keptBy"),
        ("\"lossPercent\" : 0", "\"lossPercent\" : -1", "faults.lossPercent"),
        ("\"link\" : \"open\"", "\"link\" : \"shut\"", "faults.link"),
        ("\"link\" : \"down\"", "\"link\" : 5", "link"),
        ("\"sectors\" : 4", "\"sectors\" : 4000000000000000000", "flash"),
        ("\"pageBytes\" : 256", "\"pageBytes\" : 0", "flash"),
        ("\"contents\" : {", "\"contents\" : {\"9\": \"\"", "flash.contents.9"),
        ("\"contents\" : {", "\"contents\" : {\"1\": \"AAAA\"", "flash.contents.1"),
    ])
    func `a value that cannot be is named`(old: String, new: String, key: String) {
        let text = String(decoding: state().json, as: UTF8.self)
        #expect(text.contains(old))
        #expect(error(Array(text.replacingOccurrences(of: old, with: new).utf8)) == .damaged(key))
    }

    @Test func `what is no file of that kind is refused at once`() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "states-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let pipe = directory.appendingPathComponent("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let long = directory.appendingPathComponent("long").path
        #expect(FileManager.default.createFile(atPath: long, contents: nil))
        #expect(truncate(long, 100 << 20) == 0)
        let missing = directory.appendingPathComponent("missing").path
        let wanted: [(String, WatchStateError)] = [
            (pipe, .unreadable(reason: "not a regular file")),
            (directory.path, .unreadable(reason: "not a regular file")),
            ("/dev/zero", .unreadable(reason: "not a regular file")), (long, .tooLong(limit: 32 << 20)),
            (missing, .unreadable(reason: "No such file or directory")),
        ]
        for (path, wanted) in wanted {
            #expect(throws: wanted, "\(path)") { try WatchState(contentsOf: path) }
        }
    }

    @Test func `a file is replaced whole, and what is no file is left alone`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(
            "state-\(UInt64.random(in: 0 ... .max))"
        ).path
        defer { unlink(path) }
        try HostFile.replace(path, with: state().json)
        try HostFile.replace(path, with: [1, 2])
        #expect(try HostFile.readWhole(path) == [1, 2])
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        #expect(throws: DeviceModelError.notAFile) { try HostFile.replace("/dev/null", with: []) }
        #expect(throws: DeviceModelError.systemCall("open", errno: ENOENT)) {
            try HostFile.replace("/nowhere/at/all", with: [])
        }
    }
}
