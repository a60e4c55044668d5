/// The registers of the system control space, from 0xE000_E000 (B3.2).
package struct SystemControl: Equatable, Sendable {
    /// Who may use the floating-point unit: nobody after a reset (B3.2.20, CPACR).
    private var coprocessorAccess: UInt32 = 0
    private(set) var protection = MemoryProtection()

    /// Whether a privileged program may: one and three in the field of coprocessor 10.
    var allowsFloat: Bool { coprocessorAccess &>> 20 & 1 != 0 }

    /// A register; nil where there is none.
    func word(at address: UInt32) -> UInt32? {
        switch address {
        case 0xE000_ED88: coprocessorAccess
        case 0xE000_ED90...0xE000_EDA0: protection.word(at: address)
        case _: nil
        }
    }

    /// Writes a register; returns whether there is one.
    mutating func write(_ word: UInt32, at address: UInt32) -> Bool {
        switch address {
        case 0xE000_ED88:
            coprocessorAccess = word & 0x00F0_0000
            return true
        case 0xE000_ED90...0xE000_EDA0: return protection.write(word, at: address)
        case _: return false
        }
    }
}
