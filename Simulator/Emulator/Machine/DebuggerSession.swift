/// One debugger's session over the gdb remote protocol. It takes the debugger's bytes, and returns the bytes of the reply and a
/// `Demand`.
///
/// Source: "Debugging with GDB", appendix E, gdb Remote Serial Protocol.
package struct DebuggerSession: Sendable {
    /// What the debugger wants the machine to do.
    package enum Demand: Equatable, Sendable {
        /// The machine keeps running, or stays stopped.
        case nothing
        case run
        case stop
        case step
        /// The debugger disconnects, and the machine runs on without it.
        case detach
        case end
        case reset
    }

    package enum StopReason: Equatable, Sendable {
        case stepped
        case breakpoint
        case interrupted
        case watchpoint(Watchpoint, address: UInt32)
        case fault
        case exited(status: UInt32)
    }

    package private(set) var breakpoints: Set<UInt32> = []
    package private(set) var watchpoints: Set<Watchpoint> = []
    /// The bytes of a packet that is not complete yet.
    private var unfinished: [UInt8] = []
    /// Whether the session acknowledges packets. It does until the debugger turns acknowledgements off.
    private var acknowledges = true
    private var lastStop = "S05"
    private static let mostBytes = 4_096

    /// Handles bytes from the debugger. If they contain several demands, the last one counts.
    package mutating func receive(_ bytes: [UInt8], _ machine: inout Machine) -> (reply: [UInt8], demand: Demand) {
        unfinished += bytes
        var (reply, demand): ([UInt8], Demand) = ([], .nothing)
        while let first = unfinished.first {
            if first == 3 {
                unfinished.removeFirst()
                demand = .stop
            } else if first == UInt8(ascii: "$") {
                guard let end = unfinished.firstIndex(of: UInt8(ascii: "#")), end + 2 < unfinished.count else {
                    if unfinished.count > Self.mostBytes { unfinished = [] }
                    break
                }
                let packet = Array(unfinished[1..<end])
                let sum = HexText.number(unfinished[(end + 1)...(end + 2)])
                unfinished.removeFirst(end + 3)
                guard sum == packet.reduce(0, { ($0 + UInt32($1)) & 0xFF }) else {
                    reply += acknowledges ? [UInt8(ascii: "-")] : []
                    continue
                }
                if acknowledges { reply.append(UInt8(ascii: "+")) }
                let answer = answer(packet, &machine)
                if let text = answer.text { reply += DebuggerSession.packet(text) }
                if answer.demand != .nothing { demand = answer.demand }
            } else {
                // An acknowledgement, or noise.
                unfinished.removeFirst()
            }
        }
        return (reply, demand)
    }

    /// Returns the packet that tells the debugger why the machine stopped. The session stores the reason, because the debugger
    /// may ask for it later.
    package mutating func stopped(_ reason: StopReason) -> [UInt8] {
        lastStop =
            switch reason {
            case .stepped, .breakpoint: "S05"
            case .interrupted: "S02"
            case .watchpoint(let point, let address): "T05\(name(point.kind)):\(String(address, radix: 16));"
            case .fault: "S0B"
            case .exited(let status): "W\(HexText.byte(UInt8(truncatingIfNeeded: status)))"
            }
        return DebuggerSession.packet(lastStop)
    }

    private func name(_ kind: Watchpoint.Kind) -> String {
        switch kind {
        case .write: "watch"
        case .read: "rwatch"
        case .access: "awatch"
        }
    }

    private static func packet(_ text: String) -> [UInt8] {
        let sum = text.utf8.reduce(0) { ($0 + UInt32($1)) & 0xFF }
        return Array("$\(text)#\(HexText.byte(UInt8(sum)))".utf8)
    }

    // MARK: Commands

    private typealias Answer = (text: String?, demand: Demand)

    private mutating func answer(_ packet: [UInt8], _ machine: inout Machine) -> Answer {
        let text = String(decoding: packet, as: UTF8.self)
        let rest = String(text.dropFirst())
        switch text.first {
        case "?": return (lastStop, .nothing)
        case "g": return ((0..<17).map { HexText.word(machine.register($0)) }.joined(), .nothing)
        case "G": return (setRegisters(rest, &machine), .nothing)
        case "p": return (Int(rest, radix: 16).map { HexText.word(machine.register($0)) } ?? "E01", .nothing)
        case "P": return (setRegister(rest, &machine), .nothing)
        case "m": return (memory(rest, machine), .nothing)
        case "M": return (setMemory(rest, &machine), .nothing)
        case "c": return (nil, .run)
        case "s": return (nil, .step)
        case "v": return answerLong(rest)
        case "z", "Z": return (setPoint(rest, isSet: text.first == "Z"), .nothing)
        case "q", "Q": return query(text)
        case "H", "T", "!": return ("OK", .nothing)
        case "D": return ("OK", .detach)
        case "k": return (nil, .end)
        case _: return ("", .nothing)
        }
    }

    private func answerLong(_ text: String) -> Answer {
        if text == "Cont?" { return ("vCont;c;C;s;S", .nothing) }
        if text.hasPrefix("Cont;s") || text.hasPrefix("Cont;S") { return (nil, .step) }
        if text.hasPrefix("Cont;c") || text.hasPrefix("Cont;C") { return (nil, .run) }
        if text.hasPrefix("Kill") { return ("OK", .end) }
        return ("", .nothing)
    }

    private mutating func query(_ text: String) -> Answer {
        if text.hasPrefix("qSupported") {
            return ("PacketSize=\(String(Self.mostBytes, radix: 16));qXfer:features:read+;QStartNoAckMode+", .nothing)
        }
        if text == "QStartNoAckMode" {
            acknowledges = false
            return ("OK", .nothing)
        }
        if let range = text.firstRange(of: "qXfer:features:read:target.xml:") {
            return (DebuggerSession.part(of: description, text[range.upperBound...]), .nothing)
        }
        if text.hasPrefix("qRcmd,") {
            let command = HexText.bytes(text.dropFirst(6)).map { String(decoding: $0, as: UTF8.self) }
            return command == "reset" ? ("OK", .reset) : ("", .nothing)
        }
        switch text {
        case "qAttached": return ("1", .nothing)
        case "qC": return ("QC1", .nothing)
        case "qfThreadInfo": return ("m1", .nothing)
        case "qsThreadInfo": return ("l", .nothing)
        case _: return ("", .nothing)
        }
    }

    /// The target description in XML. It lists the registers of a Cortex-M, without those of the floating-point unit.
    private var description: String {
        let names = (0..<13).map { "r\($0)" } + ["sp", "lr", "pc", "xpsr"]
        let registers = names.map { name in
            let type = ["sp": " type=\"data_ptr\"", "pc": " type=\"code_ptr\""][name] ?? ""
            return "<reg name=\"\(name)\" bitsize=\"32\"\(type)/>"
        }
        return
            "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target><architecture>arm</architecture>"
            + "<feature name=\"org.gnu.gdb.arm.m-profile\">\(registers.joined())</feature></target>"
    }

    /// Returns the part of `text` that `range` requests as an offset and a length in hexadecimal digits, such as `0,100`. The
    /// letter `m` precedes the part if more text follows, otherwise the letter `l`.
    private static func part(of text: String, _ range: Substring) -> String {
        let numbers = HexText.pair(range, separator: ",")
        guard let numbers, Int(numbers.0) <= text.utf8.count else { return "E01" }
        let part = text.utf8.dropFirst(Int(numbers.0)).prefix(Int(numbers.1))
        let isLast = Int(numbers.0) + part.count == text.utf8.count
        return (isLast ? "l" : "m") + String(decoding: part, as: UTF8.self)
    }

    private func setRegisters(_ text: String, _ machine: inout Machine) -> String {
        guard let bytes = HexText.bytes(text), bytes.count >= 68 else { return "E01" }
        for number in 0..<17 { machine.setRegister(number, to: HexText.word(bytes[(4 * number)...])) }
        return "OK"
    }

    private func setRegister(_ text: String, _ machine: inout Machine) -> String {
        let parts = text.split(separator: "=")
        guard parts.count == 2, let number = Int(parts[0], radix: 16), number < 17,
            let bytes = HexText.bytes(parts[1]), bytes.count == 4
        else { return "E01" }
        machine.setRegister(number, to: HexText.word(bytes[...]))
        return "OK"
    }

    private func memory(_ text: String, _ machine: Machine) -> String {
        guard let (address, count) = HexText.pair(text[...], separator: ","), count <= Self.mostBytes / 2,
            let bytes = machine.bytes(at: address, count: Int(count))
        else { return "E01" }
        return bytes.map(HexText.byte).joined()
    }

    private func setMemory(_ text: String, _ machine: inout Machine) -> String {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let (address, count) = HexText.pair(parts[0], separator: ","),
            let bytes = HexText.bytes(parts[1]), bytes.count == Int(count), machine.write(bytes, at: address)
        else { return "E01" }
        return "OK"
    }

    /// Sets or removes a breakpoint (types 0 and 1) or a watchpoint (2 to 4).
    private mutating func setPoint(_ text: String, isSet: Bool) -> String {
        let parts = text.split(separator: ",")
        guard parts.count >= 3, let address = UInt32(parts[1], radix: 16), let size = UInt32(parts[2], radix: 16) else {
            return "E01"
        }
        if parts[0] == "0" || parts[0] == "1" {
            if isSet { breakpoints.insert(address & ~1) } else { breakpoints.remove(address & ~1) }
            return "OK"
        }
        let kinds: [Substring: Watchpoint.Kind] = ["2": .write, "3": .read, "4": .access]
        guard let kind = kinds[parts[0]] else { return "" }
        let point = Watchpoint(addresses: address...max(address, address &+ max(size, 1) &- 1), kind: kind)
        if isSet { watchpoints.insert(point) } else { watchpoints.remove(point) }
        return "OK"
    }
}
