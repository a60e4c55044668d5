import DeviceModel
import Watch
import Wormhole

/// What a world is built of where a test puts something wrong in the place of something right.
struct WorldParts {
    /// The way from a watch's board to its flash chip.
    var flash = WristFlash.Wiring.right
    /// What passes over the air.
    var tamper: (AirRadio.Direction, [UInt8]) -> [[UInt8]] = { _, datagram in [datagram] }
    /// What stands between a phone's links and its database.
    var store: @Sendable (any MessageStorage) -> any MessageStorage = { $0 }
    /// What a sync of the phone's disk does.
    var syncing = VirtualDisk.Syncing.honest
    /// The number of the phone whose database a phone begins with a copy of: its own.
    var template: (Int) -> Int = { $0 }
    /// Whether a phone's program hears of the changes that commands make.
    var hearing = Hearing.all

    enum Hearing {
        case all, none
    }

    /// The randomness of a phone whose database was put back.
    var randomness = Randomness.new

    enum Randomness {
        /// It goes on.
        case new
        /// It is what it was when the copy was put away, so that the numbers of items come again.
        case ofTheCopy
    }

    /// The randomness of a watch from its number and its start's.
    var watchSeed: (UInt64, Int, Int) -> UInt64 = { seed, watch, start in
        seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(watch * 1_000 + start)
    }
    /// Starts the program of a watch that takes files, in a plan in which some are sent.
    var startFiling: (Boot, FileShelf) throws(DeviceModelError) -> any WristRun = {
        (boot, shelf) throws(DeviceModelError) in try RuntimeRun(FilingHandler(shelf), boot)
    }
    /// Starts the program of a watch in any other plan.
    var start: (Boot) throws(DeviceModelError) -> any WristRun = { boot throws(DeviceModelError) in
        try RuntimeRun(ShippingHandler(), boot)
    }
}
