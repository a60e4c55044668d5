import Foundation
import WatchLink

extension DeviceProfile {
    /// The profile in a JSON5 file. `Simulator/profile.json5` is an example that explains every key.
    ///
    /// - Throws: what is wrong with the first thing that is, and on which line.
    public init(contentsOf path: String) throws(ProfileError) {
        let bytes: [UInt8]
        do throws(DeviceModelError) {
            bytes = try HostFile.read(path)
        } catch {
            throw ProfileError(file: path, line: nil, reason: .unreadable(error.reason))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let first = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
            throw ProfileError(file: path, line: first.map { $0 + 1 }, reason: .notText)
        }
        try self.init(json5: text, file: path)
    }

    /// The profile in a text of JSON5.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - file: what errors call it.
    public init(json5 text: String, file: String) throws(ProfileError) {
        var reader = try ProfileReader(text, file: file)
        self.init(
            name: try reader.text("name"), title: try reader.text("title"),
            processor: try Processor(&reader),
            panel: try PanelCost(&reader),
            flash: try FlashCost(&reader),
            haptic: HapticCost(
                busWrite: try reader.length("haptic", "bus_write_us"), start: try reader.length("haptic", "start_us"),
                rise: try reader.length("haptic", "rise_us")),
            touch: try TouchCost(&reader),
            radio: try RadioCost(&reader),
            phone: try PhoneCost(&reader),
            energy: try EnergyCost(&reader),
            assumptions: ["Every number is that of the profile's file."])
        try reader.finish()
    }
}

extension Processor {
    fileprivate init(_ reader: inout ProfileReader) throws(ProfileError) {
        self.init(
            clockHertz: try reader.integerUnlessZero("processor", "clock_hertz", 10_000...1_000_000_000),
            cyclesPerInstruction: try reader.number("processor", "cycles_per_instruction", 0...100),
            flashWaitStates: try reader.integer("processor", "flash_wait_states", 0...15),
            cacheBytes: try reader.powerOfTwoUnlessZero("processor", "cache_bytes", 32...65_536),
            cacheLineBytes: try reader.powerOfTwoUnlessZero("processor", "cache_line_bytes", 4...256) ?? 16)
        guard 2 * cacheLineBytes <= cacheBytes ?? .max else {
            let key = "processor.cache_line_bytes"
            throw reader.error(key, .outOfRange(key, allowed: "at most half of cache_bytes"))
        }
    }
}

extension PanelCost {
    fileprivate init(_ reader: inout ProfileReader) throws(ProfileError) {
        let transferBytes = try reader.integerUnlessZero("panel", "transfer_bytes", 1...1_000_000)
        let pause = try reader.length("panel", "transfer_pause_us")
        self.init(
            busHertz: try reader.integerUnlessZero("panel", "bus_hertz", 1_000...1_000_000_000),
            bitsPerLine: try reader.integer("panel", "bits_per_line", 0...1_000_000),
            bitsPerFlush: try reader.integer("panel", "bits_per_flush", 0...1_000_000),
            transfers: transferBytes.map { Transfers(mostBytes: $0, pause: pause) },
            bus: try reader.word("panel", "bus"),
            scanOut: try reader.length("panel", "scan_out_us"), light: try reader.length("panel", "light_us"))
    }
}

extension FlashCost {
    fileprivate init(_ reader: inout ProfileReader) throws(ProfileError) {
        func length(_ name: String, _ reader: inout ProfileReader) throws(ProfileError) -> Length {
            let typical = try reader.length("flash", "\(name)_typical_us")
            let maximum = try reader.length("flash", "\(name)_maximum_us")
            guard typical <= maximum else {
                let key = "flash.\(name)_maximum_us"
                throw reader.error(key, .outOfRange(key, allowed: "at least the typical \(typical.count)"))
            }
            return Length(typical: typical, maximum: maximum)
        }
        let nextTypical = try reader.integer("flash", "next_byte_typical_ns", 0...1_000_000_000)
        let nextMaximum = try reader.integer("flash", "next_byte_maximum_ns", 0...1_000_000_000)
        guard nextTypical <= nextMaximum else {
            let key = "flash.next_byte_maximum_ns"
            throw reader.error(key, .outOfRange(key, allowed: "at least the typical \(nextTypical)"))
        }
        self.init(
            busHertz: try reader.integerUnlessZero("flash", "bus_hertz", 1_000...1_000_000_000),
            program: Program(
                firstByte: try length("first_byte", &reader), nextByteNanoseconds: (nextTypical, nextMaximum),
                page: try length("page_program", &reader)),
            sectorErase: try length("sector_erase", &reader),
            eraseSuspend: EraseSuspend(
                latency: try reader.length("flash", "erase_suspend_us"),
                betweenSuspends: try reader.length("flash", "erase_resume_to_suspend_us")))
    }
}

extension TouchCost {
    fileprivate init(_ reader: inout ProfileReader) throws(ProfileError) {
        let interval = try reader.length("touch", "scan_interval_us")
        let after = try reader.length("touch", "rest_after_us")
        let resting = Microseconds(UInt64(try reader.integer("touch", "rest_scan_interval_us", 1...4_000_000)))
        self.init(scanInterval: interval, rest: after > .zero ? Rest(after: after, scanInterval: resting) : nil)
    }
}

extension RadioCost {
    fileprivate init(_ reader: inout ProfileReader) throws(ProfileError) {
        let after = try reader.length("radio", "rest_after_us")
        let interval = Microseconds(UInt64(try reader.integer("radio", "rest_interval_us", 1...4_000_000)))
        let latency = try reader.integer("radio", "rest_latency_events", 0...499)
        self.init(
            // 7.5 ms to 4 s, latency below 500, supervision up to 32 s: Bluetooth Core Specification 5.4, volume 6,
            // part B, section 4.5.1. A zero stands for a link that takes no time.
            interval: Microseconds(
                UInt64(try reader.integerUnlessZero("radio", "interval_us", 7_500...4_000_000) ?? 0)),
            latency: try reader.integer("radio", "latency_events", 0...499),
            packetBytes: try reader.integer("radio", "packet_bytes", 27...251),
            packetsPerEvent: try reader.integer("radio", "packets_per_event", 1...1_000),
            megabits: try reader.integer("radio", "megabits", 1...2),
            credits: try reader.integer("radio", "credits", 1...65_535),
            supervisionTimeout: Microseconds(
                UInt64(try reader.integer("radio", "supervision_timeout_us", 0...32_000_000))),
            rest: after > .zero ? Rest(after: after, interval: interval, latency: latency) : nil)
    }
}

extension PhoneCost {
    fileprivate init(_ reader: inout ProfileReader) throws(ProfileError) {
        let rows = try reader.length("phone", "read_thousand_rows_us")
        let commit = try reader.length("phone", "commit_us")
        let after = try reader.length("phone", "suspend_after_us")
        let wakeUp = try reader.length("phone", "wake_up_us")
        self.init(
            readThousandRows: rows, commit: commit,
            suspension: after > .zero ? Suspension(after: after, wakeUp: wakeUp) : nil)
    }
}

extension EnergyCost {
    fileprivate init(_ reader: inout ProfileReader) throws(ProfileError) {
        let current = 0.0...1_000_000.0
        let charge = 0.0...1_000_000.0
        self.init(
            batteryMilliampereHours: try reader.number("energy", "battery_mah", 0...100_000),
            sleepMicroamperes: try reader.number("energy", "sleep_ua", current),
            processorMicroamperes: try reader.number("energy", "processor_ua", current),
            panelLine: try reader.number("energy", "panel_line_uc", charge),
            programMicroamperes: try reader.number("energy", "flash_program_ua", current),
            sectorErase: try reader.number("energy", "sector_erase_uc", charge),
            hapticPattern: try reader.number("energy", "haptic_pattern_uc", charge),
            radioEvent: try reader.number("energy", "radio_event_uc", charge),
            radioByte: try reader.number("energy", "radio_byte_uc", charge))
    }
}
