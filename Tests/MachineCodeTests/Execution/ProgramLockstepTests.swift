import CortexM
import Foundation
import SpawnedPrograms
import Testing

@testable import MachineCode

/// Whole programs of a compiler, beside QEMU.
struct ProgramLockstepTests {
    @Test(
        arguments: ["sort", "crc", "matrix"],
        ["-O1", "-O2", "-Os"])
    func `A program executes as many instructions as in QEMU`(program: String, optimisation: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try compile(program, optimisation, to: file)
        let image = try ELFImage(Array(Data(contentsOf: URL(fileURLWithPath: file))))
        let report = try CycleReport(of: image, ProgramRun.Section(), limit: 10_000_000)
        #expect(report.ending == .exited(0))
        // QEMU's last one is the breakpoint of the exit.
        #expect(try emulatedInstructions(of: file) == report.total.instructions + 1)
        #expect(report.bounds.contains(report.total.cycles))
        #expect(report.bounds.lowerBound == (try cycles(of: image, .shortest)))
        #expect(report.bounds.upperBound == (try cycles(of: image, .longest)))
        let (low, high) = (report.bounds.lowerBound, report.bounds.upperBound)
        print(
            "\(program) \(optimisation): \(report.total.instructions) instructions, as in QEMU; "
                + "\(report.total.cycles) cycles, \(low) to \(high) by the manual")
    }

    /// The cycles of a program whose core takes others.
    private func cycles(of image: ELFImage, _ timing: CoreTiming) throws -> UInt64 {
        var run = try ProgramRun(image, limit: 10_000_000, timing: timing)
        return try run.execute(ProgramRun.Section()).tree.total.cycles
    }

    /// Compiles a program with the compiler of the toolchain that the tests are built with.
    private func compile(_ program: String, _ optimisation: String, to file: String) throws {
        let programs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../Programs")
        let words = [
            "/usr/bin/env", "clang", "--target=armv7em-none-none-eabi", "-mcpu=cortex-m4", "-mfloat-abi=hard",
            "-mfpu=fpv4-sp-d16", optimisation, "-ffreestanding", "-fno-math-errno", "-nostdlib", "-fuse-ld=lld",
            "-Wl,-T,\(programs.appending(path: "memory.ld").path)", "-o", file,
            programs.appending(path: "start.c").path, programs.appending(path: "\(program).c").path,
        ]
        #expect(try SpawnedProgram(words, error: STDERR_FILENO).awaitEnd() == .exited(0))
    }

    private func emulatedInstructions(of file: String) throws -> UInt64 {
        let trace = "\(file).trace"
        defer { try? FileManager.default.removeItem(atPath: trace) }
        let words = [
            "/usr/bin/qemu-system-arm", "-M", "mps2-an386", "-nodefaults", "-no-user-config", "-nic", "none",
            "-nographic", "-monitor", "none", "-serial", "none", "-sandbox", "on,spawn=deny",
            "-semihosting-config", "enable=on,target=native", "-singlestep", "-d", "exec,nochain", "-D", trace,
            "-kernel", file,
        ]
        #expect(try SpawnedProgram(words).awaitEnd() == .exited(0))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: trace))
        return UInt64(bytes.split(separator: UInt8(ascii: "\n")).count { $0.starts(with: Array("Trace ".utf8)) })
    }
}
