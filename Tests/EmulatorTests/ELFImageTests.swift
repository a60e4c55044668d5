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
        #expect(throws: EmulatorError.noFunction("main", near: [])) { try image.functions.start(of: "main") }
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

    // MOVS R0, #1; LSLS R0, R0, #28, which is 0x10000000; MOVS R1, #42; STR R1, [R0]; LDR R0, [R0]; BX LR
    private static let store = SmallProgram([("start", [0x2001, 0x0700, 0x212A, 0x6001, 0x6800, 0x4770])])

    @Test func `RAM is where a segment of the file has variables`() throws {
        var program = Self.store
        #expect(try ending(of: program) == .unfinished(.trapped(.bus(0x1000_0000), at: 14, function: "start")))
        program.variables = 0x1000_0000..<0x1000_0010
        #expect(try ending(of: program) == .returned(42))
        // A chip whose RAM begins below 0x20000000 and ends above it: MOVS R0, #1; LSLS R0, R0, #29; SUBS R0, #4.
        program = SmallProgram([("start", [0x2001, 0x0740, 0x3804, 0x212A, 0x6001, 0x6041, 0x6840, 0x4770])])
        program.variables = 0x1FFF_8000..<0x1FFF_8004
        #expect(try ending(of: program) == .returned(42))
    }

    @Test func `RAM is below the first stack pointer`() throws {
        // PUSH {LR}; POP {PC}
        var program = SmallProgram([("start", [0xB500, 0xBD00])])
        for stack: UInt32 in [0x1001_0000, 0x2024_0000, 0x2000_1000] {
            program.stack = stack
            #expect(try ending(of: program) == .returned(0), "\(hexadecimal(stack))")
        }
        // Peripherals are at this address, so it is no stack pointer.
        program.stack = 0x4000_1000
        let processor = try ELFImage(program.file).loaded(.cortexM4)
        #expect(processor.register(13) == MemoryMap.ramStart + 1 << 18)
    }

    @Test func `Each RAM can be copied and restored with the processor`() throws {
        var program = Self.store
        program.variables = 0x1000_0000..<0x1000_0010
        var processor = try ELFImage(program.file).loaded(.cortexM4)
        let before = processor
        for _ in 0..<5 { try processor.step() }
        #expect(processor.memory.word(at: 0x1000_0000) == 42)
        #expect(before.memory.word(at: 0x1000_0000) == 0)
    }

    @Test func `A program that needs more RAM than there is is refused`() {
        var program = Self.store
        program.variables = 0x1000_0000..<0x1800_0000
        #expect(throws: EmulatorError.tooLarge) { try ending(of: program) }
    }

    private func ending(of program: SmallProgram) throws -> CycleReport.Ending {
        try CycleReport(of: ELFImage(program.file), limit: 100).ending
    }

    @Test func `A program without symbols is executed, and its functions have no names`() throws {
        var file = program.file
        // Sets the number of sections to 0.
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

    @Test(arguments: [
        "app::Ring<int>::push(int)", "app::Ring<int>::push", "app::Ring::push", "push", "_ZN3app4RingIiE4pushEi",
        "main.add(Int, Int)", "main.add", "add", "$s4main3addyS2i_SitF", "body", "body.constprop.0", "0x10",
    ])
    func `A function is found by its symbol, its source name, or that without types, parameters and what is around it`(
        name: String
    ) throws {
        let symbols = ["body.constprop.0", "_ZN3app4RingIiE4pushEi", "$s4main3addyS2i_SitF"]
        let table = FunctionTable(
            symbols.enumerated().map { Function(name: $1, start: UInt32(0x10 + 0x10 * $0), size: 0) })
        let expected: UInt32 = name.contains("add") ? 0x30 : name.contains("push") ? 0x20 : 0x10
        #expect(try table.start(of: name) == expected)
    }

    @Test func `A name that none or several have leads to those that are near or meant`() {
        let table = FunctionTable([
            Function(name: "insertion_sort", start: 0x10, size: 0), Function(name: "_Z4pushi", start: 0x20, size: 0),
            Function(name: "_Z4pushf", start: 0x30, size: 0), Function(name: "helper", start: 0x40, size: 0),
        ])
        #expect(throws: EmulatorError.noFunction("insertsort", near: ["insertion_sort"])) {
            try table.start(of: "insertsort")
        }
        #expect(throws: EmulatorError.noFunction("sort", near: ["insertion_sort"])) { try table.start(of: "sort") }
        #expect(throws: EmulatorError.noFunction("xyz", near: [])) { try table.start(of: "xyz") }
        #expect(throws: EmulatorError.severalFunctions("push", ["push(int) at 0x20", "push(float) at 0x30"])) {
            try table.start(of: "push")
        }
    }

    @Test func `C++'s names are shown as in the source`() {
        #expect(
            Function(name: "_ZN3app4RingIiE4pushEi", start: 0, size: 0).title == "app::Ring<int>::push(int)")
        // On its own, "i" would be the mangled name of a type.
        #expect(Function(name: "i", start: 0, size: 0).title == "i")
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
