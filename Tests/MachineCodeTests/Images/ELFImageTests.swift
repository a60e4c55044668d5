import SeededNumbers
import Testing
import WatchLink

@testable import MachineCode

struct ELFImageTests {
    private let program = SmallProgram.calls

    @Test func `Segments, the entry and the functions are those that the linker wrote`() throws {
        let image = try ELFImage(program.file)
        #expect(image.entry == 9)
        #expect(image.segments.map(\.address) == [0])
        #expect(image.functions.functions.map(\.name) == ["start", "outer", "inner"])
        #expect(image.functions.functions.map(\.start) == program.starts)
        #expect(try image.functions.start(of: "inner") == program.starts[2])
        #expect(throws: MachineCodeError.noFunction("main")) { try image.functions.start(of: "main") }
    }

    @Test func `A file that ends anywhere is refused`() {
        let file = program.file
        for length in file.indices {
            #expect(throws: MachineCodeError.self, "\(length) bytes") { try ELFImage(Array(file[..<length])) }
        }
    }

    @Test func `Files that are no program for the part are named as what they are`() {
        #expect(throws: MachineCodeError.notELF) { try ELFImage([]) }
        #expect(throws: MachineCodeError.notELF) { try ELFImage(Array("#!/bin/sh".utf8)) }
        var other = program
        other.machine = 62
        #expect(throws: MachineCodeError.otherProcessor(62)) { try ELFImage(other.file) }
        for place in [4, 5] {
            var file = program.file
            file[place] = 2
            #expect(throws: MachineCodeError.otherForm) { try ELFImage(file) }
        }
        other = program
        other.type = 1
        #expect(throws: MachineCodeError.notLinked) { try ELFImage(other.file) }
    }

    @Test func `A program without symbols is executed, and its functions have no names`() throws {
        var file = program.file
        // The number of sections.
        file[48] = 0
        let report = try CycleReport(of: ELFImage(file), ProgramRun.Section(), limit: 100)
        #expect(report.ending == .returned(43))
        #expect(report.rows.map(\.function) == ["code without a name"])
    }

    @Test func `Damaged bytes are refused, or executed for as long as the limit says`() {
        let file = program.file
        withSeeds(500, "damaged files") { random, _ in
            var damaged = file
            for _ in 0...random.next() % 3 {
                damaged[Int(random.next() % UInt32(file.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            do throws(MachineCodeError) {
                var run = try ProgramRun(ELFImage(damaged), limit: 50)
                _ = try run.execute(ProgramRun.Section())
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }
}
