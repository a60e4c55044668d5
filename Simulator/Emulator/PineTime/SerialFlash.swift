/// The XT25F32B, a NOR flash chip of 4 MB on the SPI bus.
///
/// Sources: drivers for the PineTime give the commands, and Mynewt's board gives the identification. The XT25F32B's times are
/// unknown. The model takes typical times of the smaller XT25F08B-S: 0.4 ms to program a page and 70 ms to erase a sector (XTX,
/// datasheet 0.2). It assumes the times to erase a block or the chip, to program less than a page, and to wake up (20 us).
///
/// The bits that protect blocks are stored, but protect nothing. A power loss does not interrupt a program or erase operation.
/// The suspension of an erase is not modelled.
package struct SerialFlash: Sendable {
    package static let size = 4 * 1_024 * 1_024
    private static let identification: [UInt8] = [0x0B, 0x40, 0x16]
    private static let electronicSignature: UInt8 = 0x15

    private enum Code {
        static let writeStatus: UInt8 = 0x01, program: UInt8 = 0x02, read: UInt8 = 0x03, writeDisable: UInt8 = 0x04
        static let status: UInt8 = 0x05, writeEnable: UInt8 = 0x06, fastRead: UInt8 = 0x0B, secondStatus: UInt8 = 0x35
        static let sector: UInt8 = 0x20, halfBlock: UInt8 = 0x52, block: UInt8 = 0xD8
        static let chip: UInt8 = 0x60, chipToo: UInt8 = 0xC7
        static let makeReset: UInt8 = 0x99, allowReset: UInt8 = 0x66
        static let manufacturer: UInt8 = 0x90, identification: UInt8 = 0x9F, wake: UInt8 = 0xAB, sleep: UInt8 = 0xB9
    }

    private enum State: Equatable {
        case ready(writeEnabled: Bool)
        /// The chip programs or erases until this cycle.
        case busy(until: UInt64)
        case asleep
        case waking(until: UInt64)
    }

    private enum Command {
        case none
        case header(code: UInt8, bytes: UInt32, count: Int)
        case reading(address: Int)
        case programming(address: Int, page: [UInt8], count: Int)
        case ignored
    }

    /// Whether programming a page and erasing a sector take their longest times. The model assumes the longest times of
    /// another chip, the W25Q32FV (datasheet). Programming takes 50 us for the first byte and 12 us for each further byte, at
    /// most 3 ms. Erasing takes 400 ms.
    package var isSlow = false
    package private(set) var contents: [UInt8]
    private var state = State.ready(writeEnabled: false)
    private var command = Command.none
    private var protection: UInt8 = 0
    private var allowsReset = false

    package init() {
        contents = [UInt8](repeating: 0xFF, count: SerialFlash.size)
    }

    /// - Throws: `.flashSize` if the number of bytes is not the size of the chip.
    package init(contents: [UInt8]) throws(EmulatorError) {
        guard contents.count == SerialFlash.size else { throw .flashSize(contents.count) }
        self.contents = contents
    }

    // MARK: Bus

    mutating func exchange(_ sent: [UInt8], at cycle: UInt64, cyclesPerByte: UInt64) -> [UInt8] {
        settle(at: cycle)
        var answer = [UInt8](repeating: 0xFF, count: sent.count)
        for position in sent.indices {
            answer[position] = exchange(sent[position], at: cycle + UInt64(position) * cyclesPerByte)
        }
        return answer
    }

    /// Handles the end of the chip's selection. At this time, commands such as program and erase begin.
    mutating func deselect(at cycle: UInt64) {
        defer { command = .none }
        settle(at: cycle)
        switch command {
        case .none, .reading, .ignored: break
        case .header(let code, let bytes, let count): act(code, bytes, count, at: cycle)
        case .programming(let address, let page, let count):
            guard count > 0, state == .ready(writeEnabled: true) else { return }
            let start = address & ~0xFF
            for offset in 0..<256 { contents[start + offset] &= page[offset] }
            state = .busy(until: cycle + programTime(bytes: UInt64(min(count, 256))))
        }
    }

    private func programTime(bytes: UInt64) -> UInt64 {
        if isSlow { return min(.milliseconds(3), .microseconds(50) + (bytes - 1) * .microseconds(12)) }
        // The first byte takes 30 us, and a whole page 0.4 ms.
        return .microseconds(30) + (bytes - 1) * .microseconds(370) / 255
    }

    private mutating func settle(at cycle: UInt64) {
        switch state {
        case .busy(let end), .waking(let end): if cycle >= end { state = .ready(writeEnabled: false) }
        case .ready, .asleep: break
        }
    }

    private func accepts(_ code: UInt8) -> Bool {
        switch state {
        case .ready: true
        case .busy: code == Code.status || code == Code.secondStatus
        case .asleep: code == Code.wake
        case .waking: false
        }
    }

    private mutating func exchange(_ byte: UInt8, at cycle: UInt64) -> UInt8 {
        switch command {
        case .none:
            command = accepts(byte) ? .header(code: byte, bytes: 0, count: 0) : .ignored
            return 0xFF
        case .ignored: return 0xFF
        case .reading(let address):
            command = .reading(address: (address + 1) & (SerialFlash.size - 1))
            return contents[address]
        case .programming(let address, var page, let count):
            command = .ignored
            // After the end of a page, bytes continue at its beginning.
            page[(address + count) & 0xFF] = byte
            command = .programming(address: address, page: page, count: count + 1)
            return 0xFF
        case .header(let code, let bytes, let count):
            return header(code, bytes << 8 | UInt32(byte), count + 1, at: cycle)
        }
    }

    private mutating func header(_ code: UInt8, _ bytes: UInt32, _ count: Int, at cycle: UInt64) -> UInt8 {
        command = .header(code: code, bytes: bytes, count: count)
        let address = Int(bytes) & (SerialFlash.size - 1)
        switch (code, count) {
        case (Code.read, 3): command = .reading(address: address)
        case (Code.fastRead, 4): command = .reading(address: Int(bytes >> 8) & (SerialFlash.size - 1))
        case (Code.program, 3):
            command = .programming(address: address, page: [UInt8](repeating: 0xFF, count: 256), count: 0)
        case (Code.status, _):
            settle(at: cycle)
            return status
        case (Code.secondStatus, _): return 0
        case (Code.identification, _): return SerialFlash.identification[(count - 1) % 3]
        case (Code.wake, 4...): return SerialFlash.electronicSignature
        case (Code.manufacturer, 4...):
            return count % 2 == 0 ? SerialFlash.identification[0] : SerialFlash.electronicSignature
        // InfiniTime reads here whether a program operation failed, which only other chips report. This chip is assumed to give
        // 0.
        case (0x2B, _): return 0
        case _: break
        }
        return 0xFF
    }

    /// The status register. Bit 0: the chip programs or erases. Bit 1: the chip accepts writes.
    private var status: UInt8 {
        switch state {
        case .ready(let writeEnabled): protection | (writeEnabled ? 2 : 0)
        case .busy: protection | 3
        case .asleep, .waking: 0xFF
        }
    }

    // MARK: Commands that act when they end

    private mutating func act(_ code: UInt8, _ bytes: UInt32, _ count: Int, at cycle: UInt64) {
        let resets = allowsReset
        allowsReset = code == Code.allowReset
        switch (code, count) {
        case (Code.writeEnable, 0): state = .ready(writeEnabled: true)
        case (Code.writeDisable, 0): state = .ready(writeEnabled: false)
        case (Code.sleep, 0): state = .asleep
        case (Code.wake, _): if state == .asleep { state = .waking(until: cycle + .microseconds(20)) }
        case (Code.makeReset, 0): if resets { (state, protection) = (.ready(writeEnabled: false), 0) }
        case (Code.writeStatus, 1...2):
            guard state == .ready(writeEnabled: true) else { return }
            protection = UInt8(truncatingIfNeeded: count == 1 ? bytes : bytes >> 8) & 0xFC
            state = .busy(until: cycle + .milliseconds(5))
        case (Code.sector, 3): erase(Int(bytes), 4_096, .milliseconds(isSlow ? 400 : 70), at: cycle)
        case (Code.halfBlock, 3): erase(Int(bytes), 32_768, .milliseconds(200), at: cycle)
        case (Code.block, 3): erase(Int(bytes), 65_536, .milliseconds(300), at: cycle)
        case (Code.chip, 0), (Code.chipToo, 0): erase(0, SerialFlash.size, .milliseconds(15_000), at: cycle)
        case _: break
        }
    }

    /// Erases the unit of `size` bytes that contains this address.
    private mutating func erase(_ address: Int, _ size: Int, _ time: UInt64, at cycle: UInt64) {
        guard state == .ready(writeEnabled: true) else { return }
        let start = address & (SerialFlash.size - 1) & ~(size - 1)
        for offset in start..<start + size { contents[offset] = 0xFF }
        state = .busy(until: cycle + time)
    }
}
