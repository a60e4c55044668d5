// 64-bit integers are wider than a word of the device. There the generic conversions (`UInt64(x)`, `UInt32(y)`,
// `y >> 8`) go through an array of words, which is heap that the firmware does not have. These go through none; shifts
// have to be the masking ones (`&>>`, `&<<`).

extension UInt64 {
    /// A 32-bit value, widened.
    package init(word: UInt32) {
        self.init(_truncatingBits: UInt(word))
    }

    /// A value put together from its two halves.
    package init(high: UInt32, low: UInt32) {
        self = UInt64(word: high) &<< 32 | UInt64(word: low)
    }

    /// The lower 32 bits.
    package var lowWord: UInt32 { UInt32(truncatingIfNeeded: _lowWord) }

    /// The upper 32 bits.
    package var highWord: UInt32 { (self &>> 32).lowWord }
}
