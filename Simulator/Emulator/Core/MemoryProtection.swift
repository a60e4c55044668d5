/// The memory protection unit (B3.5), with eight regions.
struct MemoryProtection: Equatable, Sendable {
    enum Access: Sendable {
        case read, write, execute
    }

    private struct Region: Equatable, Sendable {
        var address: UInt32 = 0
        var attributes: UInt32 = 0

        var ends: (first: UInt32, last: UInt32)? {
            let bits = attributes &>> 1 & 31
            // 32 bytes is the smallest size (B3.5.9).
            guard attributes & 1 != 0, bits >= 4 else { return nil }
            let mask = bits == 31 ? .max : (UInt32(2) &<< bits) &- 1
            return (address & ~mask, address | mask)
        }

        func contains(_ place: UInt32) -> Bool {
            guard let ends, place >= ends.first, place <= ends.last else { return false }
            // A region of 256 bytes or more has eight subregions.
            let bits = attributes &>> 1 & 31
            return bits < 7 || attributes &>> (8 &+ (place &- ends.first) &>> (bits &- 2)) & 1 == 0
        }

        /// Whether the region's attributes allow an access (table B3-15).
        func allows(_ access: Access, isPrivileged: Bool) -> Bool {
            let permission = attributes &>> 24 & 7
            let writes = isPrivileged ? 1...3 ~= permission : permission == 3
            let reads = isPrivileged ? permission != 0 && permission != 4 : [2, 3, 6, 7].contains(permission)
            return switch access {
            case .read: reads
            case .write: writes
            case .execute: reads && attributes &>> 28 & 1 == 0
            }
        }
    }

    private var control: UInt32 = 0
    private var number: UInt32 = 0
    private var regions = [Region](repeating: Region(), count: 8)

    var isOn: Bool { control & 1 != 0 }
    /// Whether the unit also applies in HardFault and NMI handlers, and while FAULTMASK is set (HFNMIENA).
    var coversFaults: Bool { control & 2 != 0 }

    /// Whether a program may access the byte at an address. If several regions contain the byte, the region with the highest
    /// number decides.
    func allows(_ address: UInt32, _ access: Access, isPrivileged: Bool) -> Bool {
        // The private peripheral bus has the default map (B3.5.3).
        guard isOn, address &>> 20 != 0xE00 else { return MemoryProtection.isExecutable(address) || access != .execute }
        if let region = regions.last(where: { $0.contains(address) }) {
            return region.allows(access, isPrivileged: isPrivileged)
                && (access != .execute || MemoryProtection.isExecutable(address))
        }
        let hasBackground = isPrivileged && control & 4 != 0
        return hasBackground && (access != .execute || MemoryProtection.isExecutable(address))
    }

    /// Whether the default memory map (B3.1) allows execution at an address. It forbids execution in the Peripheral, Device
    /// and System areas.
    private static func isExecutable(_ address: UInt32) -> Bool {
        switch address &>> 29 {
        case 2, 5, 6, 7: false
        case _: true
        }
    }

    /// Finds an address in `area` such that a privileged program may make all of `accesses` between this address and the end of
    /// `area`. Returns nil if the program is unprivileged, if PRIVDEFENA is clear, or if a region that forbids any of
    /// `accesses` reaches the end of `area`.
    func openAddress(in area: Range<UInt32>, isPrivileged: Bool, _ accesses: [Access]) -> UInt32? {
        guard isPrivileged, control & 4 != 0 else { return nil }
        var open = area.lowerBound
        for region in regions {
            guard let ends = region.ends, ends.first < area.upperBound, ends.last >= area.lowerBound,
                !accesses.allSatisfy({ region.allows($0, isPrivileged: true) })
            else { continue }
            guard ends.last < area.upperBound &- 1 else { return nil }
            open = max(open, ends.last &+ 1)
        }
        return open
    }

    func word(at address: UInt32) -> UInt32? {
        switch address {
        // TYPE: eight regions.
        case 0xE000_ED90: 8 &<< 8
        case 0xE000_ED94: control
        case 0xE000_ED98: number
        // RBAR, RASR and their aliases (B3.5.10).
        case 0xE000_ED9C, 0xE000_EDA4, 0xE000_EDAC, 0xE000_EDB4: regions[Int(number)].address | number
        case 0xE000_EDA0, 0xE000_EDA8, 0xE000_EDB0, 0xE000_EDB8: regions[Int(number)].attributes
        case _: nil
        }
    }

    mutating func write(_ word: UInt32, at address: UInt32) -> Bool {
        switch address {
        case 0xE000_ED94: control = word & 7
        case 0xE000_ED98: number = word & 7
        case 0xE000_ED9C, 0xE000_EDA4, 0xE000_EDAC, 0xE000_EDB4:
            // If the field VALID is set, the word has the number of the region, too.
            if word & 0x10 != 0 { number = word & 7 }
            regions[Int(number)].address = word & ~0x1F
        case 0xE000_EDA0, 0xE000_EDA8, 0xE000_EDB0, 0xE000_EDB8: regions[Int(number)].attributes = word
        case _: return false
        }
        return true
    }
}
