import Watch
import WatchLink

/// Settings that a loader writes into memory before the reset. If all words are zero, as at power-on, the firmware runs without
/// a connection to test tools.
///
/// The firmware reads these words, and the command that starts the emulator writes them. Their layout is declared only here.
package struct BootSettings: Sendable, BitwiseCopyable {
    /// How the clock of the board advances.
    package enum Pacing: Sendable, BitwiseCopyable {
        case free
        /// The bench sets the clock. It stands while the runtime is idle, and continues from the time that the bench sets.
        case paced
    }

    package var pacing: Pacing
    /// The local time at the start; nil if the wall clock is not set.
    package var calendar: LocalTime?
    /// Random bits, from which a watch without an identity in flash draws one.
    package var seed: UInt64

    package init(pacing: Pacing, calendar: LocalTime?, seed: UInt64) {
        self.pacing = pacing
        self.calendar = calendar
        self.seed = seed
    }

    /// The address of the first word, after the flash chip.
    package static var address: UInt32 { 0x2110_0000 }
    package static var wordCount: Int { 4 }
    /// "PACE" in ASCII.
    private static var pacedMark: UInt32 { 0x5041_4345 }

    /// Reads the settings.
    ///
    /// - Parameter word: returns the word with a number from 0 to 3.
    package init(word: (Int) -> UInt32) {
        let seconds = word(1)
        self.init(
            pacing: word(0) == BootSettings.pacedMark ? .paced : .free,
            calendar: seconds == 0 ? nil : LocalTime(seconds: seconds),
            seed: UInt64(high: word(3), low: word(2)))
    }

    /// The word with a number from 0 to 3; 0 for any other number.
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
