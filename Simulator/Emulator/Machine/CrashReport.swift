/// Describes a machine's faults, resets, stops and unmodelled accesses, in lines for the user.
package enum CrashReport {
    private static let mostCallers = 16
    private static let mostWords = 512

    package static func lines(_ fault: FaultRecord, in machine: Machine) -> [String] {
        let access = fault.address.map { " (\(hexadecimal($0)))" } ?? ""
        let numbers = fault.registers
        var lines = [
            "HardFault at \(place(numbers[15], in: machine)): \(fault.cause)\(access)",
            registers(0..<8, numbers), registers(8..<13, numbers) + " sp=\(word(numbers[13]))",
            "  lr=\(word(numbers[14])) pc=\(word(numbers[15])) xpsr=\(word(fault.status)) cfsr=\(word(fault.configurable)) "
                + "hfsr=\(word(fault.hard))",
        ]
        lines += callers(fault, in: machine).map { "  called from \(place($0, in: machine))" }
        return lines
    }

    package static func line(_ reset: Machine.Reset, in machine: Machine) -> String {
        switch reset.reason {
        case .pin: return "reset by the reset pin"
        case .software: return "reset by the firmware"
        case .lockup: return "reset after a fault in the handler of a fault"
        case .wake: return "started again by a pin, from System OFF"
        case .watchdog:
            guard let feeding = reset.feeding else { return "reset by the watchdog, which was never fed" }
            return
                "reset by the watchdog, last fed at \(seconds(feeding.cycle)) s by \(place(feeding.programCounter, in: machine))"
        }
    }

    package static func line(_ stop: Machine.Stop, in machine: Machine) -> String {
        let place = place(machine.register(15), in: machine)
        return switch stop {
        case .breakpoint(let number): "breakpoint \(number) at \(place)"
        case .address: "stopped at \(place)"
        case .watchpoint(let address): "access of \(hexadecimal(address)) at \(place)"
        case .exited(let status): "the firmware ended with status \(status)"
        case .traced(let word): "a word on stimulus port \(word.port) at \(place)"
        case .resetLoop(let reason):
            "reset loop: \(machine.resets.count) resets, the last one \(reason == .lockup ? "after a fault" : "by \(reason)"); "
                + "check the image and its address"
        }
    }

    package static func line(_ access: UnmodelledAccess, in machine: Machine) -> String {
        let kind =
            switch access.kind {
            case .read: "read"
            case .write: "written"
            case .transfer: "transferred"
            }
        return
            "\(access.name) \(kind) at \(seconds(access.cycle)) s by \(place(access.programCounter, in: machine)): not modelled"
    }

    package static func place(_ address: UInt32, in machine: Machine) -> String {
        machine.image.functions.functions.isEmpty
            ? hexadecimal(address) : "\(hexadecimal(address)) in \(machine.image.functions.title(at: address))"
    }

    /// Converts cycles to seconds, with three decimal places.
    package static func seconds(_ cycles: UInt64) -> String {
        let thousandths = cycles / 64_000
        let rest = String(thousandths % 1_000)
        return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    private static func word(_ word: UInt32) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    private static func registers(_ range: Range<Int>, _ numbers: [UInt32]) -> String {
        "  " + range.map { "r\($0)=\(word(numbers[$0]))" }.joined(separator: " ")
    }

    /// Finds likely return addresses, innermost first: the words in the link register and on the stack that are addresses after
    /// a BL or BLX. Some may be left from calls that have returned.
    private static func callers(_ fault: FaultRecord, in machine: Machine) -> [UInt32] {
        let stack = fault.registers[13] & ~3
        let words =
            FirmwareImage.ram.contains(stack) ? min(mostWords, Int(FirmwareImage.ram.upperBound - stack) / 4) : 0
        let onStack = (0..<words).compactMap { machine.word(at: stack + UInt32(4 * $0)) }
        var callers: [UInt32] = []
        for word in [fault.registers[14]] + onStack where callers.count < mostCallers {
            if word & 1 != 0, callers.last != word - 1, followsCall(word - 1, in: machine) { callers.append(word - 1) }
        }
        return callers
    }

    /// Whether the instruction before an address is BL or BLX (Armv7-M Architecture Reference Manual, A7.7.18 and A7.7.19).
    private static func followsCall(_ address: UInt32, in machine: Machine) -> Bool {
        guard address >= 4, Int(address) < FirmwareImage.flashSize,
            let bytes = machine.bytes(at: address - 4, count: 4), bytes.count == 4
        else { return false }
        let isBranch = bytes[1] & 0xF8 == 0xF0 && bytes[3] & 0xD0 == 0xD0
        let isRegisterBranch = bytes[3] == 0x47 && bytes[2] & 0x87 == 0x80
        return isBranch || isRegisterBranch
    }
}
