/// The memory protection unit (B3.5), as far as it forbids: a region that nobody may access is guarded, any other is as though it
/// were not there. Subregions that are switched off are not looked at.
struct MemoryProtection: Equatable, Sendable {
    private struct Region: Equatable, Sendable {
        var address: UInt32 = 0
        var attributes: UInt32 = 0

        /// What nobody may access: an enabled region whose access permission is 0.
        var guarded: Range<UInt32>? {
            guard attributes & 1 != 0, attributes &>> 24 & 7 == 0 else { return nil }
            let size = UInt32(2) &<< (attributes &>> 1 & 31)
            let start = address & ~(size &- 1)
            return size == 0 || start &+ size < start ? nil : start..<start &+ size
        }
    }

    private var control: UInt32 = 0
    private var number: UInt32 = 0
    private var regions = [Region](repeating: Region(), count: 8)

    /// What nobody may access.
    var guarded: [Range<UInt32>] { control & 1 == 0 ? [] : regions.compactMap(\.guarded) }

    func word(at address: UInt32) -> UInt32? {
        switch address {
        // TYPE: eight regions.
        case 0xE000_ED90: 8 &<< 8
        case 0xE000_ED94: control
        case 0xE000_ED98: number
        case 0xE000_ED9C: regions[Int(number)].address | number
        case 0xE000_EDA0: regions[Int(number)].attributes
        case _: nil
        }
    }

    mutating func write(_ word: UInt32, at address: UInt32) -> Bool {
        switch address {
        case 0xE000_ED94: control = word & 7
        case 0xE000_ED98: number = word & 7
        case 0xE000_ED9C:
            // The field VALID says that the number of the region is in the word, too.
            if word & 0x10 != 0 { number = word & 7 }
            regions[Int(number)].address = word & ~0x1F
        case 0xE000_EDA0: regions[Int(number)].attributes = word
        case _: return false
        }
        return true
    }
}
