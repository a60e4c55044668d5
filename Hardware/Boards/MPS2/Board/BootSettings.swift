import Watch
import WatchLink

/// What whoever switches the board on tells it: words in memory that a loader writes before the reset
/// (`-device loader,addr=0x21010000,...` of QEMU). All zero, as memory is, is a watch by itself.
struct BootSettings {
    /// Who moves the clock on.
    enum Pacing {
        /// Time.
        case free
        /// The bench: the clock stands while the runtime is idle, and goes on from where the bench sets it.
        case paced
    }

    /// Who moves the clock on.
    let pacing: Pacing
    /// The wall clock, where it is known.
    let calendar: LocalTime?
    /// SplitMix64 for the identity of a new watch.
    let seed: UInt64

    private static var address: UInt { 0x2101_0000 }
    /// "PACE".
    private static var pacedMark: UInt32 { 0x5041_4345 }

    /// The settings that the loader left.
    static var stored: BootSettings {
        let mark = Register(address).value
        let seconds = Register(address + 4).value
        return BootSettings(
            pacing: mark == pacedMark ? .paced : .free,
            calendar: seconds == 0 ? nil : LocalTime(seconds: seconds),
            seed: UInt64(high: Register(address + 12).value, low: Register(address + 8).value))
    }
}
