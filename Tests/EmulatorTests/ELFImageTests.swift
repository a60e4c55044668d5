import TestSupport
import Testing
import WatchLink

@testable import Emulator

struct ELFImageTests {
    private let program = SmallProgram.calls

    @Test func `Segments, the entry and the functions are those that the linker wrote`() throws {
        let image = try ELFImage(program.file)
        #expect(image.entry == 9)
        #expect(image.segments.map(\.address) == [0])
        #expect(image.functions.functions.map(\.name) == ["start", "outer", "inner"])
        #expect(image.functions.functions.map(\.start) == program.starts)
        #expect(try image.functions.start(of: "inner") == program.starts[2])
        #expect(throws: EmulatorError.noFunction("main")) { try image.functions.start(of: "main") }
    }

    @Test func `A file that ends anywhere is refused`() {
        let file = program.file
        for length in file.indices {
            #expect(throws: EmulatorError.self, "\(length) bytes") { try ELFImage(Array(file[..<length])) }
        }
    }

    @Test func `Files that are no program for the part are named as what they are`() {
        #expect(throws: EmulatorError.notELF) { try ELFImage([]) }
        #expect(throws: EmulatorError.notELF) { try ELFImage(Array("#!/bin/sh".utf8)) }
        var other = program
        other.machine = 62
        #expect(throws: EmulatorError.otherProcessor(62)) { try ELFImage(other.file) }
        for place in [4, 5] {
            var file = program.file
            file[place] = 2
            #expect(throws: EmulatorError.otherForm) { try ELFImage(file) }
        }
        other = program
        other.type = 1
        #expect(throws: EmulatorError.notLinked) { try ELFImage(other.file) }
    }

    @Test func `A program without symbols is executed, and its functions have no names`() throws {
        var file = program.file
        // The number of sections.
        file[48] = 0
        let report = try CycleReport(of: ELFImage(file), limit: 100)
        #expect(report.ending == .returned(43))
        #expect(report.calls.names == ["code without a name"])
    }

    @Test func `Damaged bytes are refused, or executed for as long as the limit says`() {
        let file = program.file
        withSeeds(500, "damaged files") { random, _ in
            var damaged = file
            for _ in 0...random.next() % 3 {
                damaged[Int(random.next() % UInt32(file.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            do throws(EmulatorError) {
                _ = try CycleReport(of: ELFImage(damaged), limit: 50)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }
}

struct FunctionTableTests {
    private typealias Function = FunctionTable.Function

    private let table = FunctionTable([
        Function(name: "second", start: 0x20, size: 8), Function(name: "first", start: 0x10, size: 0),
        Function(name: "alias", start: 0x20, size: 8),
    ])

    @Test(
        arguments: [
            (0x0F, "code without a name", 0, 0x10), (0x10, "first", 0x10, 0x20), (0x1F, "first", 0x10, 0x20),
            (0x20, "alias", 0x20, 0x28), (0x27, "alias", 0x20, 0x28),
            (0x28, "code without a name", 0x28, UInt32.max),
        ] as [(UInt32, String, UInt32, UInt32)])
    func `An address belongs to the function whose code is there`(
        address: UInt32, name: String, start: UInt32, end: UInt32
    ) {
        let place = table.place(of: address)
        #expect(table.title(place.number) == name)
        #expect(place.code == start..<end)
    }

    @Test func `Swift's names are shown as in the source`() {
        #expect(
            Function(name: "$s4main3addyS2i_SitF", start: 0, size: 0).title
                == "main.add(Int, Int)")
        #expect(Function(name: "main", start: 0, size: 0).title == "main")
        let long = String(repeating: "x", count: 10_000)
        #expect(Function(name: long, start: 0, size: 0).title == long)
    }
}

/// Names of functions as a reader of a call stack wants them.
struct FunctionNameTests {
    @Test(arguments: [
        ("main", "main"),
        ("Watch.DirtyLines.next(from: Swift.Int) -> Swift.Int?", "Watch.DirtyLines.next(from: Int)"),
        (
            "generic specialization <LabBoard.LabBoard, Bad.Odd> of (extension in Watch):Watch.WatchCore< where A: "
                + "~Swift.Copyable>.run<A where A1: Watch.TapStage>(_: A1.Type, for: Watch.Tap) -> ()",
            "Watch.WatchCore.run(_: A1.Type, for: Watch.Tap)"
        ),
        (
            "function signature specialization <Arg[0] = Dead> of generic specialization <serialized, Swift.Int> of "
                + "Swift.Array.append(A) -> ()",
            "Array.append(A)"
        ),
        ("closure #1 (A<B>) -> C in main.f(x: [Swift.Int: A<B>]) -> ()", "closure #1 (A<B>)"),
        ("generic specialization <broken of nothing", "generic specialization <broken of nothing"),
        ("", ""),
    ])
    func `a demangled name is shortened for call stacks`(demangled: String, expected: String) {
        #expect(FunctionName(demangled).short == expected)
    }
}
