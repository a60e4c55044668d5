import WatchLink

extension DeviceProfile {
    /// Reads a profile from a JSON5 file. `Simulator/profile.json5` is an example that explains every key.
    ///
    /// - Throws: the first error in the file, with its line number.
    public init(contentsOf path: String) throws(ProfileError) {
        let bytes: [UInt8]
        do throws(DeviceModelError) {
            bytes = try HostFile.read(path)
        } catch {
            throw ProfileError(file: path, text: "the profile cannot be read (\(error.reason))")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let first = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
            throw ProfileError(
                file: path, line: first.map { $0 + 1 }, text: "the profile is not UTF-8 text: save it as UTF-8")
        }
        try self.init(json5: text, file: path)
    }

    /// Reads a profile from JSON5 text. Error messages call the text `file`.
    public init(json5 text: String, file: String) throws(ProfileError) {
        var reader = try ProfileReader(text, file: file)
        self = .instant
        name = try reader.text("name")
        title = try reader.text("title")
        assumptions = ["Every number is that of the profile's file."]
        try forEachNumber { key, rule, number throws(ProfileError) in number = try reader.number(key, rule) }
        if let (key, allowed) = contradiction { throw reader.error(key, "has to be \(allowed)") }
        try reader.finish()
    }

    /// The profile's numbers by key, such as "panel.bus_hertz". Measurements under two profiles are comparable if the profiles'
    /// numbers are equal.
    ///
    /// As in a file, 0 means that something takes no time, has no limit or never happens. If the connection or the touch
    /// controller never rests, its `rest_after_us` is 0, and its other keys that begin with `rest_` are left out.
    package var numbers: [String: Double] {
        var all: [String: Double] = [:]
        var copy = self
        // The closure does not throw.
        try? copy.forEachNumber { key, _, number in all[key] = number }
        if touch.rest == nil { all["touch.rest_scan_interval_us"] = nil }
        if radio.rest == nil {
            all["radio.rest_interval_us"] = nil
            all["radio.rest_latency_events"] = nil
        }
        return all
    }

    private var contradiction: (key: String, allowed: String)? {
        let (next, program) = (flash.program.nextByteNanoseconds, flash.program)
        let pairs = [
            ("flash.next_byte_maximum_ns", UInt64(next.typical), UInt64(next.maximum)),
            ("flash.first_byte_maximum_us", program.firstByte.typical.count, program.firstByte.maximum.count),
            ("flash.page_program_maximum_us", program.page.typical.count, program.page.maximum.count),
            ("flash.sector_erase_maximum_us", flash.sectorErase.typical.count, flash.sectorErase.maximum.count),
        ]
        return pairs.first { $0.1 > $0.2 }.map { ($0.0, "at least the typical \($0.1)") }
    }

    private mutating func forEachNumber(
        _ visit: (_ key: String, _ rule: ProfileReader.Rule, _ number: inout Double) throws(ProfileError) -> Void
    ) throws(ProfileError) {
        func number(_ key: String, _ range: ClosedRange<Double>, _ value: inout Double) throws(ProfileError) {
            try visit(key, .any(range), &value)
        }
        func whole(_ key: String, _ range: ClosedRange<Int>, _ value: inout Int) throws(ProfileError) {
            var number = Double(value)
            try visit(key, .whole(range), &number)
            value = Int(number)
        }
        func optional(_ key: String, _ rule: ProfileReader.Rule, _ value: inout Int?) throws(ProfileError) {
            var number = Double(value ?? 0)
            try visit(key, rule, &number)
            value = number == 0 ? nil : Int(number)
        }
        // A time in whole microseconds, by default at most an hour.
        func length(
            _ key: String, _ value: inout Microseconds, _ rule: ProfileReader.Rule = .whole(0...3_600_000_000)
        ) throws(ProfileError) {
            var number = Double(value.count)
            try visit(key, rule, &number)
            value = Microseconds(UInt64(number))
        }
        try optional("processor.clock_hertz", .wholeOrZero(10_000...1_000_000_000), &processor.clockHertz)
        try number("processor.cycles_per_instruction", 0...100, &processor.cyclesPerInstruction)

        try optional("panel.bus_hertz", .wholeOrZero(1_000...1_000_000_000), &panel.busHertz)
        try whole("panel.bits_per_line", 0...1_000_000, &panel.bitsPerLine)
        try whole("panel.bits_per_flush", 0...1_000_000, &panel.bitsPerFlush)
        var (transferBytes, pause) = (panel.transfers?.mostBytes, panel.transfers?.pause ?? .zero)
        try optional("panel.transfer_bytes", .wholeOrZero(1...1_000_000), &transferBytes)
        try length("panel.transfer_pause_us", &pause)
        panel.transfers = transferBytes.map { PanelCost.Transfers(mostBytes: $0, pause: pause) }
        let buses = PanelCost.Bus.allCases
        var bus = Double(buses.firstIndex(of: panel.bus) ?? 0)
        try visit("panel.bus", .word(buses.map(\.rawValue)), &bus)
        panel.bus = buses[Int(bus)]
        try length("panel.scan_out_us", &panel.scanOut)
        try length("panel.light_us", &panel.light)

        try optional("flash.bus_hertz", .wholeOrZero(1_000...1_000_000_000), &flash.busHertz)
        try whole("flash.next_byte_typical_ns", 0...1_000_000_000, &flash.program.nextByteNanoseconds.typical)
        try whole("flash.next_byte_maximum_ns", 0...1_000_000_000, &flash.program.nextByteNanoseconds.maximum)
        try length("flash.first_byte_typical_us", &flash.program.firstByte.typical)
        try length("flash.first_byte_maximum_us", &flash.program.firstByte.maximum)
        try length("flash.page_program_typical_us", &flash.program.page.typical)
        try length("flash.page_program_maximum_us", &flash.program.page.maximum)
        try length("flash.sector_erase_typical_us", &flash.sectorErase.typical)
        try length("flash.sector_erase_maximum_us", &flash.sectorErase.maximum)
        try length("flash.erase_suspend_us", &flash.eraseSuspend.latency)
        try length("flash.erase_resume_to_suspend_us", &flash.eraseSuspend.betweenSuspends)

        try length("haptic.bus_write_us", &haptic.busWrite)
        try length("haptic.start_us", &haptic.start)
        try length("haptic.rise_us", &haptic.rise)

        try length("touch.scan_interval_us", &touch.scanInterval)
        try length("touch.report_us", &touch.report)
        var touchRest = touch.rest ?? TouchCost.Rest(after: .zero, scanInterval: .zero)
        try length("touch.rest_after_us", &touchRest.after)
        try length("touch.rest_scan_interval_us", &touchRest.scanInterval, .whole(1...4_000_000))
        touch.rest = touchRest.after > .zero ? touchRest : nil

        // Bluetooth Core Specification 5.4, volume 6, part B, section 4.5.1: an interval of 7.5 ms to 4 s, a latency below 500,
        // and a supervision timeout up to 32 s. Zero means a link that takes no time.
        try length("radio.interval_us", &radio.interval, .wholeOrZero(7_500...4_000_000))
        try whole("radio.latency_events", 0...499, &radio.latency)
        try whole("radio.packet_bytes", 27...251, &radio.packetBytes)
        try whole("radio.packets_per_event", 1...1_000, &radio.packetsPerEvent)
        try whole("radio.megabits", 1...2, &radio.megabits)
        try whole("radio.credits", 1...65_535, &radio.credits)
        try length("radio.supervision_timeout_us", &radio.supervisionTimeout, .whole(0...32_000_000))
        var radioRest = radio.rest ?? RadioCost.Rest(after: .zero, interval: .zero, latency: 0)
        try length("radio.rest_after_us", &radioRest.after)
        try length("radio.rest_interval_us", &radioRest.interval, .whole(1...4_000_000))
        try whole("radio.rest_latency_events", 0...499, &radioRest.latency)
        radio.rest = radioRest.after > .zero ? radioRest : nil

        try length("phone.read_thousand_rows_us", &phone.readThousandRows)
        try length("phone.commit_us", &phone.commit)
        var suspension = phone.suspension ?? PhoneCost.Suspension(after: .zero, wakeUp: .zero)
        try length("phone.suspend_after_us", &suspension.after)
        try length("phone.wake_up_us", &suspension.wakeUp)
        phone.suspension = suspension.after > .zero ? suspension : nil

        try number("energy.processor_ua", 0...1_000_000, &energy.processorMicroamperes)
        try number("energy.panel_line_uc", 0...1_000_000, &energy.panelLine)
        try number("energy.flash_program_ua", 0...1_000_000, &energy.programMicroamperes)
        try number("energy.sector_erase_uc", 0...1_000_000, &energy.sectorErase)
        try number("energy.haptic_pattern_uc", 0...1_000_000, &energy.hapticPattern)
        try number("energy.radio_event_uc", 0...1_000_000, &energy.radioEvent)
        try number("energy.radio_byte_uc", 0...1_000_000, &energy.radioByte)
    }
}
