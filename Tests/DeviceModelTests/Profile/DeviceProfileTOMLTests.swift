import Foundation
import Testing
import WatchLink

@testable import DeviceModel

@Suite struct DeviceProfileTOMLTests {
    /// The example in the repository.
    private static let example = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Simulator/profile.toml").standardizedFileURL.path(percentEncoded: false)

    private func text() throws -> String {
        try String(contentsOfFile: Self.example, encoding: .utf8)
    }

    /// The error of the example with a part of it replaced.
    private func errorAfter(replacing old: String, with new: String) throws -> ProfileError? {
        let text = try text()
        try #require(text.contains(old))
        return #expect(throws: ProfileError.self) {
            _ = try DeviceProfile(toml: text.replacingOccurrences(of: old, with: new), file: "p.toml")
        }
    }

    @Test func `Every number of the example is told by its key, and no other`() throws {
        var expected: [String: Double] = [:]
        var table = ""
        for line in try text().split(separator: "\n") {
            let line = line.prefix { $0 != "#" }
            if line.hasPrefix("[") { table = line.filter(\.isLetter) }
            let parts = line.split(separator: "=").map { $0.filter { $0 != " " } }
            guard !table.isEmpty, parts.count == 2 else { continue }
            // The one word: the first of its kind.
            let number = parts[1] == "\"own\"" ? 0 : Double(parts[1].filter { $0 != "_" })
            let known: Double = try #require(number, "\(line)")
            expected["\(table).\(parts[0])"] = known
        }
        #expect(expected.count > 30)
        #expect(try DeviceProfile(tomlFile: Self.example).numbers == expected)
    }

    @Test func `The example of the repository is read, every number where it belongs`() throws {
        let profile = try DeviceProfile(tomlFile: Self.example)
        #expect(profile.name == "round-one")
        #expect(
            profile.processor
                == Processor(
                    clockHertz: 64_000_000, cyclesPerInstruction: 1.5, flashWaitStates: 3, cacheBytes: 2_048,
                    cacheLineBytes: 16))
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
                    scanInterval: .milliseconds(10),
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
                    batteryMilliampereHours: 200, sleepMicroamperes: 40, processorMicroamperes: 3_700, panelLine: 0.24,
                    programMicroamperes: 20_000, sectorErase: 900, hapticPattern: 1_200, radioEvent: 4.5,
                    radioByte: 0.06))
    }

    @Test(arguments: [
        ("bus_hertz = 16_000_000 ", "bus_hertz = -1 ", "p.toml:15: panel.bus_hertz has to be 0 to 1000000000"),
        (
            "cycles_per_instruction = 1.5", "cycles_per_instruction = 1e6",
            "p.toml:9: processor.cycles_per_instruction has to be 0.0 to 100.0"
        ),
        (
            "cycles_per_instruction = 1.5", "cycles_per_instruction = nan",
            "p.toml:9: processor.cycles_per_instruction has to be 0.0 to 100.0"
        ),
        (
            "cache_bytes = 2_048", "cache_bytes = 2_000",
            "p.toml:11: processor.cache_bytes has to be 0, or a power of two"
        ),
        (
            "cache_line_bytes = 16 ", "cache_line_bytes = 3 ",
            "p.toml:12: processor.cache_line_bytes has to be 0, or 4 to 256"
        ),
        (
            "scan_interval_us = 10_000", "scan_interval_us = \"10\"",
            "p.toml:43: touch.scan_interval_us has to be a whole number"
        ),
        ("scan_interval_us = 10_000", "scan_intervall_us = 10_000", "p.toml:42: touch.scan_interval_us is missing"),
        ("rest_scan_interval_us = 40_000", "", "p.toml:42: touch.rest_scan_interval_us is missing"),
        (
            "rest_scan_interval_us = 40_000", "rest_scan_interval_us = 0",
            "p.toml:45: touch.rest_scan_interval_us has to be 1 to 4000000"
        ),
        ("latency_events = 0", "latency_events = 0\nspeed = 3", "p.toml:50: radio.speed is not known"),
        ("[energy]", "[wind]\nknots = 3\n[energy]", "p.toml:65: wind is not known"),
        (
            "\nrest_interval_us = 45_000", "\nrest_interval_us = 0",
            "p.toml:56: radio.rest_interval_us has to be 1 to 4000000"
        ),
        ("commit_us = 4_000 ", "commit_us = -4 ", "p.toml:61: phone.commit_us has to be 0 to 3600000000"),
        ("commit_us = 4_000 ", "comit_us = 4_000 ", "p.toml:59: phone.commit_us is missing"),
        ("[haptic]", "[haptics]", "p.toml:74: [haptic] is missing"),
        (
            "page_program_maximum_us = 3_000", "page_program_maximum_us = 300",
            "p.toml:31: flash.page_program_maximum_us has to be at least the typical 400"
        ),
        (
            "clock_hertz = 64_000_000 ", "clock_hertz = 1 ",
            "p.toml:8: processor.clock_hertz has to be 0, or 10000 to 1000000000"
        ),
        ("bus_hertz = 16_000_000 ", "bus_hertz = 1 ", "p.toml:15: panel.bus_hertz has to be 0, or 1000 to 1000000000"),
        ("interval_us = 30_000 ", "interval_us = 1 ", "p.toml:48: radio.interval_us has to be 0, or 7500 to 4000000"),
        ("name = \"round-one\"", "name = 3", "p.toml:4: name has to be a text"),
        ("name = \"round-one\"", "", "p.toml:74: name is missing"),
        ("battery_mah = 200", "battery_mah = ", "p.toml:66:"),
    ])
    func `What is wrong is said in one line, with its number`(old: String, new: String, expected: String) throws {
        let error = try #require(try errorAfter(replacing: old, with: new))
        #expect("\(error)".hasPrefix(expected), "\(error)")
        #expect(!"\(error)".contains("\n"))
    }

    @Test(
        arguments: ["[", "[[", " [ ", "\u{FEFF}["],
        [",x]", "\u{C}[a]", "#", "=", "[a]", "\u{FE}]", ".a]", "", "\n", "\r\n[a]"])
    func `A table without a name is refused, and does not end the program`(bracket: String, rest: String) {
        #expect(throws: ProfileError.self) { try DeviceProfile(toml: "\(bracket)\(rest)\n", file: "p.toml") }
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFF],
            [0xC2],
            [0xE2, 0x82], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func `A file that is no text of UTF-8 is refused, in the first line that is none`(ill: [UInt8]) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "p-\(UUID()).toml")
        defer { try? FileManager.default.removeItem(at: path) }
        let comment = Array("# µs\n# ".utf8)
        for end in [Array("\n".utf8), Array(" 0123456789abcdef0123456789abcdef\n".utf8), []] {
            try Data(comment + ill + end).write(to: path)
            let file = path.path(percentEncoded: false)
            let error = #expect(throws: ProfileError.self) { try DeviceProfile(tomlFile: file) }
            #expect(error == ProfileError(file: file, line: 2, reason: .notText))
        }
    }

    @Test(arguments: [" µs", " \u{2028}時計 👩‍🚀", " \u{FEFF}", String(repeating: "ü", count: 1_000)], ["\n", "\r\n"])
    func `A comment and a title may have any characters`(characters: String, lineBreak: String) throws {
        let text = try "\u{FEFF}# \(characters)\n\(text())"
            .replacingOccurrences(of: "SPI at 16 MHz", with: "SPI at 16 MHz, 45 µs")
            .replacingOccurrences(of: "# once for", with: "#\(characters)")
            .replacingOccurrences(of: "\n", with: lineBreak)
        #expect(try DeviceProfile(toml: text, file: "p.toml").title.hasSuffix("SPI at 16 MHz, 45 µs"))
        let wrong = text.replacingOccurrences(of: "latency_events = 0", with: "latency_events = -1")
        let error = #expect(throws: ProfileError.self) { try DeviceProfile(toml: wrong, file: "p.toml") }
        #expect(error?.line == 50)
    }

    @Test(arguments: [
        ("\"a\u{202E}b\" = 1\n", "p.toml:1: a\u{FFFD}b is not known"),
        ("\"a\\nb\" = 1\n", "p.toml:1: a key has no escapes"),
        ("'\u{9B}2J' = 1\n", "p.toml:1: \u{FFFD}2J is not known"),
        ("\"a\tb\" = 1\n\"a\tb\" = 2\n", "p.toml:2:"),
        ("title = \"\\u001B[2J\"\n", "p.toml:1: title has to be a text of one line without control characters"),
    ])
    func `No control character of a file is in the error`(start: String, expected: String) throws {
        let rest = try start.hasPrefix("title") ? text().replacingOccurrences(of: "\ntitle", with: "\n#") : text()
        let error = #expect(throws: ProfileError.self) { try DeviceProfile(toml: start + rest, file: "p.toml") }
        let line = error.map(String.init(describing:)) ?? ""
        #expect(line.hasPrefix(expected), "\(line)")
        #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }

    @Test func `A table within a table's braces, dots and quotation marks are read as TOML has them`() throws {
        let text = try text()
            .replacingOccurrences(of: "[touch]\nscan_interval_us = 10_000 ", with: "")
            .replacingOccurrences(of: "\nrest_after_us = 2_000_000 ", with: "\n")
            .replacingOccurrences(of: "\nrest_scan_interval_us = 40_000 ", with: "\n")
            .replacingOccurrences(of: "[haptic]\nbus_write_us", with: "[ 'haptic' ]\n\"bus_write_us\"")
        let touch = "{ scan_interval_us = 10_000, rest_after_us = 2_000_000, rest_scan_interval_us = 40_000 }"
        let profile = try DeviceProfile(toml: "touch = \(touch)\n\(text)", file: "p.toml")
        #expect(profile == (try DeviceProfile(tomlFile: Self.example)))
    }

    @Test func `A radio that never rests is one of zero`() throws {
        let text = try text().replacingOccurrences(of: "rest_after_us = 5_000_000", with: "rest_after_us = 0")
        #expect(try DeviceProfile(toml: text, file: "p.toml").radio.rest == nil)
    }

    @Test func `A phone that suspends its app says when, and how long it takes to wake it up`() throws {
        let text = try text()
        #expect(try DeviceProfile(toml: text, file: "p.toml").phone.suspension == nil)
        let suspending = text.replacingOccurrences(of: "suspend_after_us = 0 ", with: "suspend_after_us = 5_000_000 ")
            .replacingOccurrences(of: "wake_up_us = 0 ", with: "wake_up_us = 300_000 ")
        let profile = try DeviceProfile(toml: suspending, file: "p.toml")
        #expect(
            profile.phone.suspension == PhoneCost.Suspension(after: .seconds(5), wakeUp: .milliseconds(300)))
        #expect(profile.numbers["phone.suspend_after_us"] == 5_000_000)
        #expect(profile.numbers["phone.wake_up_us"] == 300_000)
    }

    @Test func `A touch controller that never rests is one of zero`() throws {
        let text = try text().replacingOccurrences(of: "rest_after_us = 2_000_000", with: "rest_after_us = 0")
        let profile = try DeviceProfile(toml: text, file: "p.toml")
        #expect(profile.touch == TouchCost(scanInterval: .milliseconds(10)))
        #expect(profile.numbers["touch.rest_scan_interval_us"] == nil)
    }

    @Test(arguments: [
        ("/nonexistent/p.toml", "the profile cannot be read (No such file or directory)"),
        ("/proc", "the profile cannot be read (Is a directory)"),
        ("/dev/zero", "the profile cannot be read (File too large)"),
    ])
    func `A file that cannot be read is said so, and why`(path: String, expected: String) {
        let error = #expect(throws: ProfileError.self) { _ = try DeviceProfile(tomlFile: path) }
        #expect(error.map(String.init(describing:)) == "\(path): \(expected)")
    }
}
