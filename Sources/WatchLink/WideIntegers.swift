// 64-bit integers are wider than a word of the device, where the generic conversions (`UInt64(x)`, `UInt32(y)`, `y >>
// 8`) use an array of words on a heap that the firmware does not have. These do not; shifts have to be the masking ones
// (`&>>`, `&<<`).

extension UInt64 {
    package init(word: UInt32) {
        self.init(_truncatingBits: UInt(word))
    }

    package init(high: UInt32, low: UInt32) {
        self = UInt64(word: high) &<< 32 | UInt64(word: low)
    }

    package var lowWord: UInt32 { UInt32(truncatingIfNeeded: _lowWord) }

    package var highWord: UInt32 { (self &>> 32).lowWord }
}
