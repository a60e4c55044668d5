import Foundation
import Testing
import WatchLink

@testable import DeviceModel

@Suite struct DeviceProfileFileTests {
    private static let example = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Simulator/profile.json5").standardizedFileURL.path(percentEncoded: false)

    private func text() throws -> String {
        try String(contentsOfFile: Self.example, encoding: .utf8)
    }

    private func errorAfter(replacing old: String, with new: String) throws -> ProfileError? {
        let text = try text()
        try #require(text.contains(old))
        return #expect(throws: ProfileError.self) {
            _ = try DeviceProfile(json5: text.replacingOccurrences(of: old, with: new), file: "p.json5")
        }
    }

    @Test func `Every number of the example is told by its key, and no other`() throws {
        var expected: [String: Double] = [:]
        var table = ""
        for line in try text().split(separator: "\n") {
            let parts = line.prefix { $0 != "/" }.split(separator: ":").map { $0.filter { !" ,".contains($0) } }
            guard parts.count == 2 else { continue }
            if parts[1] == "{" { table = parts[0] }
            guard line.hasPrefix("    ") else { continue }
            // "own" is the only value that is a word. It counts as 0, because it is the first word that its key allows.
            let number = parts[1] == "\"own\"" ? 0 : try #require(Double(parts[1]), "\(line)")
            expected["\(table).\(parts[0])"] = number
        }
        #expect(expected.count > 30)
        #expect(try DeviceProfile(contentsOf: Self.example).numbers == expected)
    }

    @Test func `The example of the repository is read, every number where it belongs`() throws {
        let profile = try DeviceProfile(contentsOf: Self.example)
        #expect(profile.name == "round-one")
        #expect(
            profile.processor
                == Processor(clockHertz: 64_000_000, cyclesPerInstruction: 1.5))
        #expect(
            profile.panel
                == PanelCost(
                    busHertz: 16_000_000, bitsPerLine: 3_840, bitsPerFlush: 88,
                    transfers: PanelCost.Transfers(mostBytes: 255, pause: Microseconds(3)),
                    scanOut: Microseconds(16_667),
                    light: .milliseconds(20)))
        #expect(profile.flash.busHertz == 8_000_000)
        #expect(
            profile.flash.program.firstByte == FlashCost.Length(typical: Microseconds(30), maximum: Microseconds(50)))
        #expect(profile.flash.program.nextByteNanoseconds == (2_500, 12_000))
        #expect(
            profile.flash.program.page == FlashCost.Length(typical: Microseconds(400), maximum: Microseconds(3_000)))
        #expect(profile.flash.sectorErase == FlashCost.Length(typical: .milliseconds(45), maximum: .milliseconds(400)))
        #expect(
            profile.haptic == HapticCost(busWrite: Microseconds(145), start: Microseconds(700), rise: .milliseconds(20))
        )
        #expect(
            profile.touch
                == TouchCost(
                    scanInterval: .milliseconds(10), report: Microseconds(215),
                    rest: TouchCost.Rest(after: .seconds(2), scanInterval: .milliseconds(40))))
        #expect(
            profile.radio
                == RadioCost(
                    interval: .milliseconds(30), latency: 0, packetBytes: 251, packetsPerEvent: 3, credits: 10,
                    supervisionTimeout: .seconds(6),
                    rest: RadioCost.Rest(after: .seconds(5), interval: .milliseconds(45), latency: 3)))
        #expect(profile.phone == PhoneCost(readThousandRows: .milliseconds(26), commit: .milliseconds(4)))
        #expect(
            profile.energy
                == EnergyCost(
                    processorMicroamperes: 3_700, panelLine: 0.24, programMicroamperes: 20_000, sectorErase: 900,
                    hapticPattern: 1_200, radioEvent: 4.5,
                    radioByte: 0.06))
    }

    @Test(arguments: [
        ("bus_hertz: 16000000", "bus_hertz: -1", "p.json5:13: panel.bus_hertz has to be 0 to 1000000000"),
        (
            "bus_hertz: 16000000", "bus_hertz: 16000000, 'bus_hertz': 1",
            "p.json5: a table has bus_hertz twice: remove one of the two"
        ),
        (
            "cycles_per_instruction: 1.5", "cycles_per_instruction: 1e6",
            "p.json5:9: processor.cycles_per_instruction has to be 0.0 to 100.0"
        ),
        (
            "cycles_per_instruction: 1.5", "cycles_per_instruction: NaN",
            "p.json5:9: processor.cycles_per_instruction has to be 0.0 to 100.0"
        ),
        (
            "cycles_per_instruction: 1.5", "cycles_per_instruction: true",
            "p.json5:9: processor.cycles_per_instruction has to be a number"
        ),
        (
            "scan_interval_us: 10000", "scan_interval_us: \"10\"",
            "p.json5:44: touch.scan_interval_us has to be a whole number"
        ),
        (
            "scan_interval_us: 10000", "scan_interval_us: 0.5",
            "p.json5:44: touch.scan_interval_us has to be a whole number"
        ),
        ("scan_interval_us: 10000", "scan_intervall_us: 10000", "p.json5:43: touch.scan_interval_us is missing"),
        ("rest_scan_interval_us: 40000,", "", "p.json5:43: touch.rest_scan_interval_us is missing"),
        (
            "rest_scan_interval_us: 40000", "rest_scan_interval_us: 0",
            "p.json5:47: touch.rest_scan_interval_us has to be 1 to 4000000"
        ),
        ("latency_events: 0,", "latency_events: 0,\nspeed: 3,", "p.json5:53: radio.speed is not known"),
        ("energy: {", "wind: { knots: 3 },\nenergy: {", "p.json5:70: wind is not known"),
        (
            "    rest_interval_us: 45000", "    rest_interval_us: 0",
            "p.json5:59: radio.rest_interval_us has to be 1 to 4000000"
        ),
        ("commit_us: 4000", "commit_us: -4", "p.json5:65: phone.commit_us has to be 0 to 3600000000"),
        ("commit_us: 4000", "comit_us: 4000", "p.json5:63: phone.commit_us is missing"),
        ("haptic: {", "haptics: {", "p.json5: haptic is missing"),
        (
            "page_program_maximum_us: 3000", "page_program_maximum_us: 300",
            "p.json5:30: flash.page_program_maximum_us has to be at least the typical 400"
        ),
        (
            "clock_hertz: 64000000", "clock_hertz: 1",
            "p.json5:8: processor.clock_hertz has to be 0, or 10000 to 1000000000"
        ),
        ("bus_hertz: 16000000", "bus_hertz: 1", "p.json5:13: panel.bus_hertz has to be 0, or 1000 to 1000000000"),
        (
            "    interval_us: 30000", "    interval_us: 1",
            "p.json5:51: radio.interval_us has to be 0, or 7500 to 4000000"
        ),
        ("name: \"round-one\"", "name: 3", "p.json5:4: name has to be a text"),
        ("name: \"round-one\",", "", "p.json5: name is missing"),
        (
            "title: \"a round", "title: \"\\u001Ba round",
            "p.json5:5: title has to be a text of one line without control characters"
        ),
        ("processor_ua: 3700", "processor_ua: ", "p.json5:71: this is not JSON5: "),
        ("energy: {", "energy: [", "p.json5:"),
    ])
    func `What is wrong is said in one line, with its number`(old: String, new: String, expected: String) throws {
        let error = try #require(try errorAfter(replacing: old, with: new))
        #expect("\(error)".hasPrefix(expected), "\(error)")
        #expect(!"\(error)".contains("\n"))
    }

    @Test(arguments: [
        "", "{", "}", "[", "[]", "1", "\"a\"", "{a: }", "{a: {b: 1}", "{a: 1 b: 2}", "{a: 'b\n'}", "{a: \"b", "/* {}",
        "a = 1",
        "[processor]\nclock_hertz = 1\n", "{}\0", String(repeating: "{a: ", count: 10_000),
        String(repeating: " ", count: 70_000),
    ])
    func `A text that is no table of JSON5 is refused`(text: String) {
        #expect(throws: ProfileError.self) { try DeviceProfile(json5: text, file: "p.json5") }
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFF],
            [0xC2],
            [0xE2, 0x82], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func `A file that is no text of UTF-8 is refused, in the first line that is none`(ill: [UInt8]) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "p-\(UUID()).json5")
        defer { try? FileManager.default.removeItem(at: path) }
        let comment = Array("// µs\n// ".utf8)
        for end in [Array("\n".utf8), Array(" 0123456789abcdef0123456789abcdef\n".utf8), []] {
            try Data(comment + ill + end).write(to: path)
            let file = path.path(percentEncoded: false)
            let error = #expect(throws: ProfileError.self) { try DeviceProfile(contentsOf: file) }
            #expect(error?.line == 2 && error?.text.hasPrefix("the profile is not UTF-8 text") == true)
        }
    }

    @Test(arguments: [" µs", " \u{2028}時計 👩‍🚀", " \u{FEFF}", String(repeating: "ü", count: 1_000)], ["\n", "\r\n"])
    func `A comment and a title may have any characters`(characters: String, lineBreak: String) throws {
        let text = try "\u{FEFF}// \(characters)\n\(text())"
            .replacingOccurrences(of: "SPI at 16 MHz", with: "SPI at 16 MHz, 45 µs")
            .replacingOccurrences(of: "// once for", with: "//\(characters)")
            .replacingOccurrences(of: "\n", with: lineBreak)
        #expect(try DeviceProfile(json5: text, file: "p.json5").title.hasSuffix("SPI at 16 MHz, 45 µs"))
        let wrong = text.replacingOccurrences(of: "    latency_events: 0", with: "    latency_events: -1")
        let error = #expect(throws: ProfileError.self) { try DeviceProfile(json5: wrong, file: "p.json5") }
        #expect(error?.line == 53)
    }

    @Test(arguments: [
        ("\"a\u{202E}b\": 1,", "p.json5:3: a\u{FFFD}b is not known"),
        ("\"a\\u009Bb\": 1,", "p.json5: a\u{FFFD}b is not known"),
    ])
    func `No control character of a file is in the error`(key: String, expected: String) throws {
        let error = try #require(try errorAfter(replacing: "{\n  name", with: "{ \(key)\n  name"))
        #expect("\(error)" == expected)
    }

    @Test func `A radio that never rests is one of zero`() throws {
        let text = try text().replacingOccurrences(of: "rest_after_us: 5000000", with: "rest_after_us: 0")
        #expect(try DeviceProfile(json5: text, file: "p.json5").radio.rest == nil)
    }

    @Test func `A phone that suspends its app says when, and how long it takes to wake it up`() throws {
        let text = try text()
        #expect(try DeviceProfile(json5: text, file: "p.json5").phone.suspension == nil)
        let suspending = text.replacingOccurrences(of: "suspend_after_us: 0", with: "suspend_after_us: 5000000")
            .replacingOccurrences(of: "wake_up_us: 0", with: "wake_up_us: 300000")
        let profile = try DeviceProfile(json5: suspending, file: "p.json5")
        #expect(
            profile.phone.suspension == PhoneCost.Suspension(after: .seconds(5), wakeUp: .milliseconds(300)))
        #expect(profile.numbers["phone.suspend_after_us"] == 5_000_000)
        #expect(profile.numbers["phone.wake_up_us"] == 300_000)
    }

    @Test func `A touch controller that never rests is one of zero`() throws {
        let text = try text().replacingOccurrences(of: "rest_after_us: 2000000", with: "rest_after_us: 0")
        let profile = try DeviceProfile(json5: text, file: "p.json5")
        #expect(profile.touch == TouchCost(scanInterval: .milliseconds(10), report: Microseconds(215)))
        #expect(profile.numbers["touch.rest_scan_interval_us"] == nil)
    }

    @Test(arguments: [
        ("/nonexistent/p.json5", "the profile cannot be read (No such file or directory)"),
        ("/proc", "the profile cannot be read (Is a directory)"),
        ("/dev/zero", "the profile cannot be read (File too large)"),
    ])
    func `A file that cannot be read is said so, and why`(path: String, expected: String) {
        let error = #expect(throws: ProfileError.self) { _ = try DeviceProfile(contentsOf: path) }
        #expect(error.map(String.init(describing:)) == "\(path): \(expected)")
    }
}
