import SeededNumbers
import Testing
import WatchLink

@testable import Watch

/// Random numbers that can be had again: TAPLINE_SEED sets the seed, and a failure names it.
struct CanvasRandom: RandomNumberGenerator {
    /// The number that the sequence follows from.
    let seed: UInt64
    private var numbers: SplitMix64

    /// A sequence from TAPLINE_SEED, or from a new seed.
    init() {
        seed = Seed.chosen()
        numbers = SplitMix64(seed: seed)
    }

    /// What to set to run a failed test again.
    var replay: Comment { "TAPLINE_SEED=\(seed)" }

    /// The next 64 bits.
    mutating func next() -> UInt64 { numbers.next() }

    /// A number of a range.
    mutating func int(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// An area that may lie partly or altogether outside the panel, or be empty.
    mutating func rect() -> Rect {
        let left = int(-40...160)
        let top = int(-40...190)
        return Rect(left: left, top: top, right: left + int(-2...170), bottom: top + int(-2...190))
    }

    /// Text of all kinds: ASCII, Latin, anything else, and bytes that are no UTF-8 at all.
    mutating func text(upTo length: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<int(0...length) {
            switch int(0...9) {
            case 0...4: bytes.append(UInt8(int(0x20...0x7E)))
            case 5...6: bytes += Array(String(scalar(0xA0...0x17F)).utf8)
            case 7: bytes += Array(String(scalar(0...0xFFFF)).utf8)
            case 8: bytes += Array(String(scalar(0x1_0000...0x10_FFFF)).utf8)
            case _: bytes.append(UInt8(int(0...255)))
            }
        }
        return bytes
    }

    private mutating func scalar(_ range: ClosedRange<Int>) -> Character {
        while true {
            if let scalar = Unicode.Scalar(UInt32(int(range))) { return Character(scalar) }
        }
    }
}
