/// An ELF file as a linker writes it, with a symbol for each function. The vector table is at address 0, and Thumb
/// instructions begin at address 8.
struct SmallProgram {
    typealias Function = (name: String, code: [UInt16])

    var stack: UInt32 = 0x2000_1000
    /// The addresses of variables that are 0 at first. For them, the file has a segment without bytes, as a linker
    /// writes it.
    var variables: Range<UInt32>?
    var machine: UInt16 = 40
    var type: UInt16 = 2
    var functions: [Function]

    init(_ functions: [Function]) {
        self.functions = functions
    }

    var starts: [UInt32] {
        functions.indices.map { index in functions[..<index].reduce(8) { $0 + UInt32($1.code.count) * 2 } }
    }

    /// Returns a BL to the address that is `distance` bytes after the end of the BL.
    static func call(ahead distance: UInt16) -> [UInt16] { [0xF000, 0xF800 | distance / 2] }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func words(_ words: [UInt32]) -> [UInt8] { words.flatMap { bytes($0) } }

    /// The file: ELF header, program headers, three section headers, names, symbols, code.
    var file: [UInt8] {
        var names: [UInt8] = [0]
        var symbols = [UInt8](repeating: 0, count: 16)
        for (function, start) in zip(functions, starts) {
            // STT_FUNC with global binding, in section 1; Thumb functions have odd addresses.
            symbols += SmallProgram.words([UInt32(names.count), start | 1, UInt32(function.code.count) * 2])
            symbols += [0x12, 0] + SmallProgram.bytes(UInt16(1))
            names += Array(function.name.utf8) + [0]
        }
        let code =
            SmallProgram.words([stack, 9]) + functions.flatMap(\.code).flatMap { SmallProgram.bytes($0) }
        let segments: UInt32 = variables == nil ? 1 : 2
        let sections = 52 + 32 * segments
        let namesStart = sections + 3 * 40
        let symbolsStart = namesStart + UInt32(names.count)
        let codeStart = symbolsStart + UInt32(symbols.count)
        let (codeSize, nameSize, symbolSize) = (UInt32(code.count), UInt32(names.count), UInt32(symbols.count))
        var file: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 1, 1, 1] + [UInt8](repeating: 0, count: 9)
        file += SmallProgram.bytes(type) + SmallProgram.bytes(machine) + SmallProgram.words([1, 9, 52, sections, 0])
        for half: UInt16 in [52, 32, UInt16(segments), 40, 3, 0] { file += SmallProgram.bytes(half) }
        file += SmallProgram.words([1, codeStart, 0, 0, codeSize, codeSize, 5, 4])
        if let variables {
            let (start, size) = (variables.lowerBound, UInt32(variables.count))
            file += SmallProgram.words([1, 0, start, start, 0, size, 6, 4])
        }
        file += SmallProgram.words([0, 1, 6, 0, codeStart, codeSize, 0, 0, 4, 0])
        file += SmallProgram.words([0, 2, 0, 0, symbolsStart, symbolSize, 2, 0, 4, 16])
        file += SmallProgram.words([0, 3, 0, 0, namesStart, nameSize, 0, 0, 1, 0])
        return file + names + symbols + code
    }
}

extension SmallProgram {
    static let calls = SmallProgram([
        // PUSH {LR}; BL outer; POP {PC}
        ("start", [0xB500] + call(ahead: 2) + [0xBD00]),
        // MOVS R0, #42; B inner
        ("outer", [0x202A, 0xE7FF]),
        // ADDS R0, #1; BX LR
        ("inner", [0x3001, 0x4770]),
    ])
}
