import Foundation
import Glibc
import SpawnedPrograms
import SystemPackage

/// The registers of QEMU's Cortex-M4 before each instruction of a program.
///
/// `-singlestep` translates each instruction alone, and `-d cpu` prints the registers before each translation that it runs.
final class QEMUTrace {
    /// What a program sees of a processor.
    struct State: Equatable {
        var registers = [UInt32](repeating: 0, count: 16)
        var status: UInt32 = 0
        /// The single-precision registers, and FPSCR.
        var numbers = [UInt32](repeating: 0, count: 32)
        var floatStatus: UInt32 = 0
    }

    enum Failure: Error {
        case noPipe, noProgram(Errno), malformed(String)
    }

    private let emulator: SpawnedProgram
    private let lines: FileHandle
    private var rest: [UInt8] = []
    private var place = 0

    /// - Parameter image: a file whose first bytes are at address 0.
    init(image: String) throws {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure.noPipe }
        defer { close(ends[1]) }
        lines = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let words = [
            "/usr/bin/qemu-system-arm", "-M", "mps2-an386", "-nodefaults", "-no-user-config", "-nic", "none",
            "-nographic",
            "-monitor", "none", "-serial", "none", "-sandbox", "on,spawn=deny", "-kernel", image, "-singlestep", "-d",
            "cpu,fpu,nochain", "-D", "/dev/stdout",
        ]
        do throws(Errno) {
            emulator = try SpawnedProgram(words, output: ends[1])
        } catch {
            throw Failure.noProgram(error)
        }
    }

    /// The state before the next instruction; nil where the emulator has ended.
    func next() throws -> State? {
        var state = State()
        var (core, float) = (0, 0)
        while let line = line() {
            // FPSCR has a colon.
            if line.first == UInt8(ascii: "F") {
                guard core == 16, float == 32, let value = Words.number(line.suffix(8)) else { throw malformed(line) }
                state.floatStatus = value
                return state
            }
            var words = Words(line)
            while let (name, value) = words.next() {
                switch name {
                case UInt8(ascii: "R") where core < 16:
                    state.registers[core] = value
                    core += 1
                case UInt8(ascii: "s") where float < 32:
                    state.numbers[float] = value
                    float += 1
                case UInt8(ascii: "X"): state.status = value
                // Double-precision ones are the same registers.
                case UInt8(ascii: "d"): break
                case _: throw malformed(line)
                }
            }
        }
        return nil
    }

    private func malformed(_ line: ArraySlice<UInt8>) -> Failure { .malformed(String(decoding: line, as: UTF8.self)) }

    /// The words of a line that are a name and a number of eight digits.
    private struct Words {
        private var rest: ArraySlice<UInt8>

        init(_ line: ArraySlice<UInt8>) {
            rest = line
        }

        mutating func next() -> (UInt8, UInt32)? {
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")), let name = rest.first else { return nil }
            var value: UInt32 = 0
            var index = equals + 1
            while index < rest.endIndex, let digit = Words.digit(rest[index]) {
                value = value << 4 | digit
                index += 1
            }
            rest = rest[min(index + 1, rest.endIndex)...]
            return (name, value)
        }

        static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
            digits.reduce(0) { sum, byte in sum.flatMap { sum in digit(byte).map { sum << 4 | $0 } } }
        }

        private static func digit(_ byte: UInt8) -> UInt32? {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
            case _: nil
            }
        }
    }

    private func line() -> ArraySlice<UInt8>? {
        while true {
            if let end = rest[place...].firstIndex(of: 10) {
                defer { place = end + 1 }
                return rest[place..<end]
            }
            let more = lines.availableData
            guard !more.isEmpty else { return nil }
            rest = Array(rest[place...]) + more
            place = 0
        }
    }
}
