import Watch
import WatchLink

/// Settings in words of memory that a loader writes before the reset. All zeros, the memory's first content, mean no bench.
///
/// The firmware reads these words and the emulator's command writes them; their layout is declared here alone.
package struct BootSettings: Sendable, BitwiseCopyable {
    /// How the board's clock advances.
    package enum Pacing: Sendable, BitwiseCopyable {
        case free
        /// The bench paces it: the clock stands while the runtime is idle, and continues from the time that the bench sets.
        case paced
    }

    package var pacing: Pacing
    /// nil if the wall clock is not set.
    package var calendar: LocalTime?
    /// Seeds the identity of a watch if its flash holds none.
    package var seed: UInt64

    package init(pacing: Pacing, calendar: LocalTime?, seed: UInt64) {
        self.pacing = pacing
        self.calendar = calendar
        self.seed = seed
    }

    /// The address of the first word, behind the flash chip.
    package static var address: UInt32 { 0x2110_0000 }
    package static var wordCount: Int { 4 }
    /// "PACE".
    private static var pacedMark: UInt32 { 0x5041_4345 }

    /// `word` is called with the number of each word, 0 to 3.
    package init(word: (Int) -> UInt32) {
        let seconds = word(1)
        self.init(
            pacing: word(0) == BootSettings.pacedMark ? .paced : .free,
            calendar: seconds == 0 ? nil : LocalTime(seconds: seconds),
            seed: UInt64(high: word(3), low: word(2)))
    }

    /// The word of a number, 0 to 3; any other is 0.
    package func word(_ number: Int) -> UInt32 {
        switch (number, pacing) {
        case (0, .paced): BootSettings.pacedMark
        case (1, _): calendar?.seconds ?? 0
        case (2, _): seed.lowWord
        case (3, _): seed.highWord
        case (_, _): 0
        }
    }
}
