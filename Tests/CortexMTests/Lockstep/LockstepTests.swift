import Foundation
import SeededNumbers
import Testing

@testable import CortexM

/// The processor beside QEMU's, instruction by instruction.
struct LockstepTests {
    /// How many random instructions: 80,000 in every run, or what the environment says.
    static let count = ProcessInfo.processInfo.environment["TAPLINE_LOCKSTEP"].flatMap(Int.init) ?? 80_000

    @Test func randomInstructionsLeaveTheSameRegisters() throws {
        let length = 5_000
        var forms: [String: Int] = [:]
        try withSeeds(max(1, LockstepTests.count / length), "random instructions") { random, _ in
            let program = RandomProgram(seed: random.next(), count: length)
            try follow(program)
            forms.merge(program.forms, uniquingKeysWith: +)
        }
        print("lockstep: \(forms.values.reduce(0, +)) instructions of \(forms.count) forms")
    }

    private func follow(_ program: RandomProgram) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(program.bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let trace = try QEMUTrace(image: file.path)
        var processor = CortexM4(
            memory: MemoryMap(flash: program.bytes, ramSize: 1 << 17), entry: 9, stack: RandomProgram.stack)
        // What the flags are after a reset is not defined (B1.4.2).
        processor.flags.word = 1 << 30
        var before = processor.state
        while let expected = try trace.next() {
            let state = processor.state
            if state != expected {
                Issue.record("\(program.describe(before)): \(state.differences(from: expected))")
                return
            }
            if state.registers[15] == program.end { return }
            before = state
            try processor.step()
        }
        Issue.record("the emulator has ended")
    }
}

extension QEMUTrace.State {
    private var all: [UInt32] { registers + numbers + [status, floatStatus] }

    /// The registers that are others than expected, with both values.
    fileprivate func differences(from expected: QEMUTrace.State) -> String {
        let pairs = zip(all, expected.all).enumerated()
        return pairs.filter { $1.0 != $1.1 }.map { number, pair in
            let name = number < 16 ? "r\(number)" : number < 48 ? "s\(number - 16)" : number == 48 ? "xPSR" : "FPSCR"
            return "\(name) is \(hexadecimal(pair.0)), in QEMU \(hexadecimal(pair.1))"
        }.joined(separator: ", ")
    }
}

extension RandomProgram {
    /// The instruction that is executed in a state.
    fileprivate func describe(_ state: QEMUTrace.State) -> String {
        let address = state.registers[15]
        let place = Int(address / 2)
        let values = state.registers.enumerated().map { "r\($0)=\(hexadecimal($1))" }.joined(separator: " ")
        let code = halfwords[place..<min(place + 2, halfwords.count)].map { hexadecimal(UInt32($0)) }
        return
            "\(code.joined(separator: " ")) at \(hexadecimal(address)) with \(values) xPSR=\(hexadecimal(state.status)) FPSCR=\(hexadecimal(state.floatStatus)) "
            + state.numbers.enumerated().map { "s\($0)=\(hexadecimal($1))" }.joined(separator: " ")
    }
}

private func hexadecimal(_ number: UInt32) -> String { String(number, radix: 16) }

extension CortexM4 {
    fileprivate var state: QEMUTrace.State {
        var registers = (0..<16).map { self.registers[Int($0)] }
        registers[15] = next
        let status = flags.word | 1 << 24 | UInt32(ifThen & 3) << 25 | UInt32(ifThen >> 2) << 10
        return QEMUTrace.State(
            registers: registers, status: status, numbers: (0..<32).map { numbers[$0] }, floatStatus: float.word)
    }
}
