import WatchLink

extension DeviceProfile {
    /// The numbers by their keys in a file, such as "panel.bus_hertz". Figures of two profiles are comparable if all of
    /// these are equal.
    ///
    /// As in a file, 0 stands for no time or an absent part. A connection or a touch controller without a pace at rest
    /// has no numbers for it.
    package var numbers: [String: Double] {
        let parts = [
            processor.numbers, panel.numbers, flash.numbers, haptic.numbers, touch.numbers, radio.numbers,
            phone.numbers, energy.numbers,
        ]
        return parts.reduce(into: [:]) { all, part in all.merge(part) { first, _ in first } }
    }
}

extension Microseconds {
    fileprivate var number: Double { Double(count) }
}

extension Processor {
    fileprivate var numbers: [String: Double] {
        [
            "processor.clock_hertz": Double(clockHertz ?? 0),
            "processor.cycles_per_instruction": cyclesPerInstruction,
            "processor.flash_wait_states": Double(flashWaitStates),
            "processor.cache_bytes": Double(cacheBytes ?? 0),
            "processor.cache_line_bytes": Double(cacheLineBytes),
        ]
    }
}

extension PanelCost {
    fileprivate var numbers: [String: Double] {
        [
            "panel.bus_hertz": Double(busHertz ?? 0),
            "panel.bits_per_line": Double(bitsPerLine),
            "panel.bits_per_flush": Double(bitsPerFlush),
            "panel.transfer_bytes": Double(transfers?.mostBytes ?? 0),
            "panel.transfer_pause_us": transfers?.pause.number ?? 0,
            // 0 for its own, 1 for that of the flash chip.
            "panel.bus": Double(Bus.allCases.firstIndex(of: bus) ?? 0),
            "panel.scan_out_us": scanOut.number,
            "panel.light_us": light.number,
        ]
    }
}

extension FlashCost {
    fileprivate var numbers: [String: Double] {
        [
            "flash.bus_hertz": Double(busHertz ?? 0),
            "flash.first_byte_typical_us": program.firstByte.typical.number,
            "flash.first_byte_maximum_us": program.firstByte.maximum.number,
            "flash.next_byte_typical_ns": Double(program.nextByteNanoseconds.typical),
            "flash.next_byte_maximum_ns": Double(program.nextByteNanoseconds.maximum),
            "flash.page_program_typical_us": program.page.typical.number,
            "flash.page_program_maximum_us": program.page.maximum.number,
            "flash.sector_erase_typical_us": sectorErase.typical.number,
            "flash.sector_erase_maximum_us": sectorErase.maximum.number,
            "flash.erase_suspend_us": eraseSuspend.latency.number,
            "flash.erase_resume_to_suspend_us": eraseSuspend.betweenSuspends.number,
        ]
    }
}

extension HapticCost {
    fileprivate var numbers: [String: Double] {
        [
            "haptic.bus_write_us": busWrite.number, "haptic.start_us": start.number, "haptic.rise_us": rise.number,
        ]
    }
}

extension TouchCost {
    fileprivate var numbers: [String: Double] {
        var numbers = [
            "touch.scan_interval_us": scanInterval.number, "touch.rest_after_us": rest?.after.number ?? 0,
        ]
        if let rest { numbers["touch.rest_scan_interval_us"] = rest.scanInterval.number }
        return numbers
    }
}

extension RadioCost {
    fileprivate var numbers: [String: Double] {
        var numbers = [
            "radio.interval_us": interval.number,
            "radio.latency_events": Double(latency),
            "radio.packet_bytes": Double(packetBytes),
            "radio.packets_per_event": Double(packetsPerEvent),
            "radio.megabits": Double(megabits),
            "radio.credits": Double(credits),
            "radio.supervision_timeout_us": supervisionTimeout.number,
            "radio.rest_after_us": rest?.after.number ?? 0,
        ]
        if let rest {
            numbers["radio.rest_interval_us"] = rest.interval.number
            numbers["radio.rest_latency_events"] = Double(rest.latency)
        }
        return numbers
    }
}

extension PhoneCost {
    fileprivate var numbers: [String: Double] {
        [
            "phone.read_thousand_rows_us": readThousandRows.number,
            "phone.commit_us": commit.number,
            "phone.suspend_after_us": suspension?.after.number ?? 0,
            "phone.wake_up_us": suspension?.wakeUp.number ?? 0,
        ]
    }
}

extension EnergyCost {
    fileprivate var numbers: [String: Double] {
        [
            "energy.battery_mah": batteryMilliampereHours,
            "energy.sleep_ua": sleepMicroamperes,
            "energy.processor_ua": processorMicroamperes,
            "energy.panel_line_uc": panelLine,
            "energy.flash_program_ua": programMicroamperes,
            "energy.sector_erase_uc": sectorErase,
            "energy.haptic_pattern_uc": hapticPattern,
            "energy.radio_event_uc": radioEvent,
            "energy.radio_byte_uc": radioByte,
        ]
    }
}
