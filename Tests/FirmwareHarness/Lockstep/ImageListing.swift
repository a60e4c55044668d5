import Emulator
import Foundation
import SystemPackage
import TestSupport

/// The instructions of a firmware image, counted by mnemonic. Our decoder and LLVM's disassembler agree on the mnemonic
/// of each instruction.
struct ImageListing {
    let name: String
    let mnemonics: [String: Int]
}

extension ImageListing {
    /// - Throws: `.unusable` if the image cannot be read, or if our decoder and LLVM's disassembler disagree on an
    ///   instruction.
    init(_ path: String) throws(LockstepError) {
        let name = (path as NSString).lastPathComponent
        let processor: CortexM4
        do {
            let bytes = try Array(Data(contentsOf: URL(filePath: path)))
            processor = try ELFImage(bytes).loaded(.cortexM4, sizeOfRAM: 1 << 16)
        } catch {
            throw .unusable("\(path): \(error)")
        }
        let text = try ImageListing.disassemble(path)
        let listed = text.split(separator: "\n").compactMap(ListedInstruction.init)
        guard !listed.isEmpty else { throw .unusable("llvm-objdump lists no instruction of \(path)") }
        var mnemonics: [String: Int] = [:]
        for instruction in listed {
            let ours = processor.mnemonic(at: instruction.address)
            guard instruction.isCalled(ours) else {
                throw .unusable(
                    "\(name): at \(hexadecimal(instruction.address)) we read \(ours), llvm-objdump \(instruction.name)")
            }
            mnemonics[ours, default: 0] += 1
        }
        self.init(name: name, mnemonics: mnemonics)
    }

    private static func disassemble(_ path: String) throws(LockstepError) -> String {
        let lines = Pipe()
        do {
            let output = lines.fileHandleForWriting
            let program = try SpawnedProgram(
                ["/usr/bin/env", "llvm-objdump", "-d", "--no-show-raw-insn", path], output: output.fileDescriptor)
            try output.close()
            let text = try lines.fileHandleForReading.readToEnd() ?? Data()
            guard program.awaitEnd() == .exited(0) else {
                throw LockstepError.unusable("llvm-objdump fails on \(path)")
            }
            return String(decoding: text, as: UTF8.self)
        } catch {
            throw error as? LockstepError ?? .unusable("llvm-objdump: \(error)")
        }
    }
}

/// A line of LLVM's disassembler: address, colon, blanks, tab, name. In a line with constants, the bytes of the
/// constants follow the colon.
private struct ListedInstruction {
    let address: UInt32
    /// The mnemonic with its suffixes, for example `addseq.w`.
    let name: Substring

    init?(_ line: Substring) {
        let fields = line.split(separator: "\t")
        guard fields.count >= 2, fields[0].hasSuffix(" "), let colon = fields[0].firstIndex(of: ":"),
            let address = UInt32(fields[0][..<colon].drop { $0 == " " }, radix: 16)
        else { return nil }
        // Some versions print constants with the assembler's directive in place of a name.
        guard !fields[1].hasPrefix(".") else { return nil }
        self.address = address
        name = fields[1]
    }

    /// The suffixes that stand for conditions (ARMv7-M manual, A7.3). The empty suffix stands for no condition.
    private static let conditions = [
        "", "eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le",
    ]
    private static let others = [
        "UDF": ["trap", "udf"], "ADD": ["addw"], "SUB": ["subw"], "IT": [], "MOV": ["movw"],
    ]

    func isCalled(_ mnemonic: String) -> Bool {
        let base = name.prefix { $0 != "." && $0 != " " }
        if mnemonic == "IT" { return base.hasPrefix("it") && base.dropFirst(2).allSatisfy { "te".contains($0) } }
        let names = [mnemonic.lowercased()] + ListedInstruction.others[mnemonic, default: []]
        return names.contains { name in
            ListedInstruction.conditions.contains { base == name + $0 || base == name + "s" + $0 }
        }
    }
}
