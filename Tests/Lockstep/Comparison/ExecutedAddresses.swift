import CortexM

/// How often the instruction at each address was executed on both processors.
struct ExecutedAddresses {
    /// By halfwords from address 0.
    private var counts: [UInt32] = []
    private(set) var count = 0

    mutating func note(_ address: UInt32) {
        let place = Int(address / 2)
        if place >= counts.count { counts += [UInt32](repeating: 0, count: place + 1 - counts.count) }
        counts[place] += 1
        count += 1
    }

    /// The same by the names of the instructions in a program's flash.
    func byMnemonic(in processor: CortexM4) -> [String: Int] {
        var sums: [String: Int] = [:]
        for (place, count) in counts.enumerated() where count > 0 {
            sums[processor.mnemonic(at: UInt32(2 * place)), default: 0] += Int(count)
        }
        return sums
    }
}
