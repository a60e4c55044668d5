extension CortexM4 {
    /// The name of the instruction at an address, without what conditions and widths add; UDF where there is none.
    package func mnemonic(at address: UInt32) -> String {
        guard let entry = try? fetch(program, address) else { return "UDF" }
        if case .system(.barrier) = entry.instruction, let second = try? memory.load(address &+ 2, as: UInt16.self) {
            switch second & 0xF0 {
            case 0x50: return "DMB"
            case 0x60: return "ISB"
            case _: return "DSB"
            }
        }
        return entry.instruction.mnemonic ?? "UDF"
    }
}
