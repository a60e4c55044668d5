import Emulator
import SystemPackage

/// A debugger's connection to QEMU, in the remote serial protocol of GDB ("Debugging with GDB", appendix E).
struct DebuggerLink {
    let descriptor: FileDescriptor
    private var received: [UInt8] = []

    /// The maximum number of memory bytes in a packet. Their hexadecimal digits fill QEMU's buffer.
    private static let mostBytes = 2_048

    /// - Parameter descriptor: a socket, which the caller closes.
    init(_ descriptor: FileDescriptor) {
        self.descriptor = descriptor
    }

    /// Prepares QEMU for the other commands. QEMU accepts register writes only after a request for its description of
    /// the registers. In physical memory mode, QEMU also shows memory that the program's stack guards protect.
    mutating func begin() throws(LockstepError) {
        try send(packet("qXfer:features:read:target.xml:0,100"))
        _ = try reply()
        try expect("OK", for: ["Qqemu.PhyMemMode:1"])
    }

    mutating func stop(at address: UInt32) throws(LockstepError) {
        try expect("OK", for: ["Z0,\(String(address, radix: 16)),2"])
    }

    /// Makes QEMU print the registers before each instruction from now on.
    mutating func trace() throws(LockstepError) {
        let command = HexadecimalText.digits(of: "log cpu,fpu,nochain".utf8)
        try expect("OK", for: ["qRcmd,\(String(decoding: command, as: UTF8.self))"])
    }

    func go() throws(LockstepError) { try send(packet("c")) }

    func interrupt() throws(LockstepError) { try send(Array("+".utf8) + [3]) }

    /// Waits for QEMU's message that it has stopped.
    mutating func takeStop() throws(LockstepError) {
        let reply = try reply()
        guard reply.first == UInt8(ascii: "T") else { throw unexpected(reply, to: "c") }
    }

    mutating func registers() throws(LockstepError) -> ProgramRegisters {
        try send(packet("g"))
        // Sixteen registers and xPSR, each lowest byte first.
        let reply = try reply()
        guard let bytes = HexadecimalText.bytes(of: reply[...]), bytes.count == 68 else {
            throw unexpected(reply, to: "g")
        }
        func word(_ place: Int) -> UInt32 {
            bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        var registers = ProgramRegisters()
        registers.status = word(64)
        for number in 0..<16 { registers.core[number] = word(4 * number) }
        return registers
    }

    mutating func memory(_ range: Range<UInt32>) throws(LockstepError) -> [UInt8] {
        let starts = stride(from: range.lowerBound, to: range.upperBound, by: DebuggerLink.mostBytes)
        let counts = starts.map { min(DebuggerLink.mostBytes, Int(range.upperBound - $0)) }
        try send(
            zip(starts, counts).flatMap { packet("m\(String($0, radix: 16)),\(String($1, radix: 16))") })
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for count in counts {
            let reply = try reply()
            guard let part = HexadecimalText.bytes(of: reply[...]), part.count == count else {
                throw unexpected(reply, to: "m")
            }
            bytes += part
        }
        return bytes
    }

    /// Writes the host's answer to a call, and continues after the breakpoint of the call.
    mutating func answer(_ answer: HostAnswer) throws(LockstepError) {
        var commands: [String] = []
        for write in answer.writes {
            for start in stride(from: 0, to: write.bytes.count, by: DebuggerLink.mostBytes / 2) {
                let part = write.bytes[start..<min(start + DebuggerLink.mostBytes / 2, write.bytes.count)]
                let address = String(write.address + UInt32(start), radix: 16)
                let digits = String(decoding: HexadecimalText.digits(of: part), as: UTF8.self)
                commands.append("M\(address),\(String(part.count, radix: 16)):\(digits)")
            }
        }
        commands.append("P0=\(word(answer.result))")
        commands.append("Pf=\(word(answer.call + 2))")
        try expect("OK", for: commands)
        try go()
    }

    // MARK: Packets

    /// Returns the hexadecimal digits of a register as the protocol has them, lowest byte first.
    private func word(_ number: UInt32) -> String {
        String(
            decoding: HexadecimalText.digits(of: (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }),
            as: UTF8.self)
    }

    /// Returns the bytes of an acknowledgement, followed by the packet of a command. The acknowledgement is for the
    /// previous reply. QEMU accepts it before that reply, so a caller may send several commands at once.
    private func packet(_ command: String) -> [UInt8] {
        let sum = command.utf8.reduce(0 as UInt8) { $0 &+ $1 }
        return Array("+$\(command)#".utf8) + HexadecimalText.digits(of: [sum])
    }

    private mutating func expect(_ expected: String, for commands: [String]) throws(LockstepError) {
        try send(commands.flatMap(packet))
        for command in commands {
            let reply = try reply()
            guard reply == Array(expected.utf8) else { throw unexpected(reply, to: command) }
        }
    }

    private func unexpected(_ reply: [UInt8], to command: String) -> LockstepError {
        .emulator("it replies \(String(decoding: reply, as: UTF8.self)) to \(command)")
    }

    private func send(_ bytes: [UInt8]) throws(LockstepError) {
        do {
            _ = try descriptor.writeAll(bytes)
        } catch {
            throw .emulator("its debugger's connection: \(error)")
        }
    }

    var isReplied: Bool { replied != nil }

    /// The place of the next reply's contents in `received`; nil if the reply is incomplete.
    private var replied: Range<Int>? {
        guard let start = received.firstIndex(of: UInt8(ascii: "$")),
            let end = received[start...].firstIndex(of: UInt8(ascii: "#")), end + 2 < received.count
        else { return nil }
        return start + 1..<end
    }

    private mutating func reply() throws(LockstepError) -> [UInt8] {
        while true {
            if let place = replied {
                let reply = Array(received[place])
                received.removeSubrange(...(place.upperBound + 2))
                return reply
            }
            try receive()
        }
    }

    mutating func receive() throws(LockstepError) { received += try moreBytes() }

    private func moreBytes() throws(LockstepError) -> [UInt8] {
        do {
            let bytes = try [UInt8](unsafeUninitializedCapacity: 1 << 17) { buffer, count in
                count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            guard !bytes.isEmpty else { throw LockstepError.emulator("it has ended") }
            return bytes
        } catch let error as LockstepError {
            throw error
        } catch {
            throw .emulator("its debugger's connection: \(error)")
        }
    }
}

enum HexadecimalText {
    @inline(__always)
    static func digit(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character &- UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(character &- UInt8(ascii: "a") &+ 10)
        case _: nil
        }
    }

    static func digits(of bytes: some Sequence<UInt8>) -> [UInt8] {
        let letters = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [letters[Int($0 >> 4)], letters[Int($0 & 15)]] }
    }

    static func bytes(of digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for place in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
            guard let high = digit(digits[place]), let low = digit(digits[place + 1]) else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
