import WatchLink

/// The encoding of an instruction as the ARMv7-M Architecture Reference Manual (DDI 0403E, A7.7) prints it: a letter for each
/// bit of a field, drawn at random.
struct InstructionForm: Sendable {
    /// The mnemonic, with what tells the form from others of the same.
    let name: String
    /// The bits, highest first. `d`, `n`, `m`, `a` and `t` are registers, `l` a second destination, `x` any bits; 0 and 1
    /// stand for themselves.
    let bits: [Character]
    /// Where it may stand.
    let place: Place

    enum Place: Sendable {
        case anywhere
        /// Not in an IT block: what that does there is not defined.
        case outsideBlocks
    }

    init(_ name: String, _ bits: String, _ place: Place = .anywhere) {
        self.name = name
        self.bits = bits.filter { $0 != " " }
        self.place = place
        precondition(self.bits.count == 16 || self.bits.count == 32, name)
    }

    /// An instruction of this form.
    ///
    /// - Parameters:
    ///   - random: what the fields are drawn from.
    ///   - fixed: what some fields have to be.
    func draw(_ random: inout SplitMix64, _ fixed: [Character: UInt32] = [:]) -> [UInt16] {
        var fields = fixed
        for letter in Set(bits).sorted() where letter != "0" && letter != "1" && fields[letter] == nil {
            let width = bits.count { $0 == letter }
            fields[letter] = drawField(letter, width, fields, &random)
        }
        var word: UInt32 = 0
        var used: [Character: Int] = [:]
        for letter in bits {
            let bit: UInt32
            switch letter {
            case "0": bit = 0
            case "1": bit = 1
            case _:
                let width = bits.count { $0 == letter }
                let place = width - 1 - used[letter, default: 0]
                used[letter, default: 0] += 1
                bit = fields[letter, default: 0] >> UInt32(place) & 1
            }
            word = word << 1 | bit
        }
        return bits.count == 16 ? [UInt16(word)] : [UInt16(word >> 16), UInt16(word & 0xFFFF)]
    }

    private func drawField(
        _ letter: Character, _ width: Int, _ fields: [Character: UInt32], _ random: inout SplitMix64
    ) -> UInt32 {
        switch letter {
        case "d", "n", "m", "a", "t", "l":
            // Registers 0 to 7, and where a field has room 8 to 11. Two destinations are never the same.
            while true {
                let register = UInt32(random.next() % (width < 4 ? 8 : 12))
                if letter != "l" || register != fields["d"] { return register }
            }
        case _: return UInt32(truncatingIfNeeded: random.next()) & (1 << UInt32(width) - 1)
        }
    }
}
