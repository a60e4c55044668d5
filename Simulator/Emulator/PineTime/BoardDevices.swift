/// The levels that devices and people put on pins. Bit n is pin P0.n.
package struct PinLevels: Equatable, Sendable {
    /// The pins that something drives.
    package var driven: UInt32 = 0
    /// The levels of these pins; 0 elsewhere.
    package var levels: UInt32 = 0

    package init() {}
}

/// The devices on the board of a watch, as the part's pins and buses reach them.
package struct BoardDevices: Sendable {
    /// What the devices and the wearer drive now.
    package private(set) var inputs = PinLevels()
    /// The first cycle at which a device acts by itself; `.max` if there is none.
    var due: UInt64 = .max

    package init() {}

    /// Acts up to and including a cycle.
    mutating func advance(to cycle: UInt64) {}

    /// The part's outputs have changed.
    ///
    /// - Parameters:
    ///   - levels: bit n is the level of pin n, if it is an output.
    ///   - outputs: the pins that the part drives.
    mutating func outputsChanged(_ levels: UInt32, outputs: UInt32, at cycle: UInt64) {}

    /// Exchanges bytes with the device whose chip select is low. The first byte begins at `cycle`. If `sent` is shorter than
    /// `received`, the part sends its over-read character, which `sent` has already.
    ///
    /// - Returns: as many bytes as it got. A bus without a device gives 0xFF.
    mutating func exchange(_ sent: [UInt8], at cycle: UInt64, cyclesPerByte: UInt64) -> [UInt8] {
        [UInt8](repeating: 0xFF, count: sent.count)
    }

    /// A start or repeated start with an address of 7 bits.
    ///
    /// - Returns: whether a device acknowledges it.
    mutating func start(_ address: UInt8, reads: Bool, at cycle: UInt64) -> Bool { false }

    /// A byte for the device that acknowledged.
    ///
    /// - Returns: whether the device acknowledges the byte.
    mutating func take(_ byte: UInt8, at cycle: UInt64) -> Bool { false }

    /// The next byte of the device that acknowledged.
    mutating func give(at cycle: UInt64) -> UInt8 { 0xFF }

    mutating func stop(at cycle: UInt64) {}

    /// The voltage of an analog input (AIN0 to AIN7), in millivolts.
    func millivolts(of input: Int) -> Int { 0 }
}
