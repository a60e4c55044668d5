import Foundation
import TestSupport
import Testing

@testable import Emulator

struct CallStackTests {
    private func report(
        _ program: SmallProgram, from: String? = nil, to: String? = nil, limit: UInt64 = 1_000
    ) throws -> CycleReport {
        try CycleReport(of: ELFImage(program.file), CycleReport.Section(from: from, to: to), limit: limit)
    }

    /// Cycles by tables 3-1 and 3-2 of the Technical Reference Manual. A refill of the pipeline takes one cycle for B,
    /// BL and BX LR, and three for POP. `start`: PUSH 2, BL 2, POP 5. `outer`: MOVS 1, B 2. `inner`: ADDS 1, BX 2.
    @Test func `Each function has its own cycles; a tail call takes the place of its caller`() throws {
        let report = try report(.calls)
        #expect(report.ending == .returned(43))
        #expect((report.calls.cycles, report.calls.instructions) == (15, 7))
        #expect(report.calls.names == ["start", "inner", "outer"])
        #expect(report.calls.functions.map(\.ownCycles) == [9, 3, 3])
        #expect(report.calls.functions.map(\.ownInstructions) == [3, 2, 2])
        #expect(report.calls.folded() == ["start 9\n", "start;inner 3\n", "start;outer 3\n"])
    }

    @Test func `A section begins at a function, and ends where it returns or where another one begins`() throws {
        let returned = try report(.calls, from: "outer")
        #expect(returned.ending == .sectionEnded)
        #expect(returned.calls.cycles == 6)
        #expect(try report(.calls, from: "outer", to: "inner").calls.cycles == 3)
        #expect(try report(.calls, to: "outer").calls.cycles == 4)
        #expect(throws: EmulatorError.notReached("start")) { try report(.calls, from: "inner", to: "start") }
        #expect(throws: EmulatorError.noFunction("main", near: [])) { try report(.calls, from: "main") }
    }

    @Test func `A function that calls itself has a place of its own at each depth`() throws {
        let program = SmallProgram([
            // MOVS R0, #3; PUSH {LR}; BL count; POP {PC}
            ("start", [0x2003, 0xB500] + SmallProgram.call(ahead: 2) + [0xBD00]),
            // PUSH {LR}; SUBS R0, #1; BEQ end; BL count; end: POP {PC}
            ("count", [0xB500, 0x3801, 0xD001, 0xF7FF, 0xFFFB, 0xBD00]),
        ])
        let report = try report(program)
        #expect(report.ending == .returned(0))
        let ways = report.calls.folded().map { $0.split(separator: " ")[0] }
        #expect(ways == ["start", "start;count", "start;count;count", "start;count;count;count"])
    }

    @Test
    func
        `A program that does not end is stopped, and so is one that traps; the figures so far and the function are reported`()
        throws
    {
        func ending(_ code: [UInt16]) throws -> CycleReport.Ending {
            try report(SmallProgram([("code", code)]), limit: 10_000).ending
        }
        // B to itself.
        let spin = try report(SmallProgram([("spin", [0xE7FE])]), limit: 100)
        #expect(spin.ending == .unfinished(.endless(instructions: 100, function: "spin")))
        // Each branch takes one cycle, and one more to refill the pipeline.
        #expect((spin.calls.instructions, spin.calls.cycles) == (100, 200))
        // MOVS R0, #1; BKPT #0.
        let stopped = try report(SmallProgram([("stops", [0x2001, 0xBE00])]))
        #expect(stopped.ending == .unfinished(.trapped(.breakpoint(0), at: 10, function: "stops")))
        #expect((stopped.calls.instructions, stopped.calls.cycles) == (1, 1))
        // PUSH {LR}; BL to itself: the stack grows down to the first word of RAM, and on.
        let deep = try ending([0xB500, 0xF7FF, 0xFFFD])
        #expect(deep == .unfinished(.trapped(.bus(0x1FFF_FFFC), at: 8, function: "code")))
        // UDF #1.
        #expect(try ending([0xDE01]) == .unfinished(.trapped(.undefined, at: 8, function: "code")))
        // VADD.F32 S0, S0, S1 before the program has switched the unit on.
        #expect(try ending([0xEE30, 0x0A20]) == .unfinished(.trapped(.noCoprocessor, at: 8, function: "code")))
        // If the section never begins, there are no figures to report.
        #expect(throws: EmulatorError.endless(instructions: 100, function: "spin")) {
            try report(SmallProgram([("spin", [0xE7FE]), ("never", [0x4770])]), from: "never", limit: 100)
        }
    }

    @Test func `A semihosting exit ends a program, and what it prints is kept`() throws {
        let program = SmallProgram([
            // MOVS R0, #4; ADR R1, text; BKPT 0xAB; MOVS R0, #0x18; LDR R1, reason; BKPT 0xAB; NOP; reason; text
            (
                "start",
                [0x2004, 0xA103, 0xBEAB, 0x2018, 0x4900, 0xBEAB, 0x0026, 0x0002, 0x6948, 0x0021]
            )
        ])
        let report = try report(program)
        #expect(report.ending == .exited(0))
        #expect(report.output == Array("Hi!".utf8))
        // The debugger handles the breakpoints, so they do not count as instructions.
        #expect(report.calls.instructions == 4)
    }
}

struct ProgramLockstepTests {
    @Test(
        arguments: ["sort", "crc", "matrix"],
        ["-O1", "-O2", "-Os"])
    func `A program executes as many instructions as in QEMU`(program: String, optimisation: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try compile(program, optimisation, to: file)
        let image = try ELFImage(Array(Data(contentsOf: URL(fileURLWithPath: file))))
        let report = try CycleReport(of: image, limit: 10_000_000)
        #expect(report.ending == .exited(0))
        // QEMU also counts the breakpoint that ends the program.
        #expect(try emulatedInstructions(of: file) == UInt64(report.calls.instructions) + 1)
        #expect(report.bounds.contains(UInt64(report.calls.cycles)))
        #expect(report.bounds.lowerBound == (try cycles(of: image, .shortest)))
        #expect(report.bounds.upperBound == (try cycles(of: image, .longest)))
        let (low, high) = (report.bounds.lowerBound, report.bounds.upperBound)
        print(
            "\(program) \(optimisation): \(report.calls.instructions) instructions, as in QEMU; "
                + "\(report.calls.cycles) cycles, \(low) to \(high) by the manual")
    }

    private func cycles(of image: ELFImage, _ timing: CoreTiming) throws -> UInt64 {
        UInt64(try CycleReport(of: image, limit: 10_000_000, timing: timing).calls.cycles)
    }

    private func compile(_ program: String, _ optimisation: String, to file: String) throws {
        let programs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Programs")
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
