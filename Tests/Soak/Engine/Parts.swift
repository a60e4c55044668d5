import CalDAV
import DeviceModel
import Watch
import Wormhole

/// What scenarios are built of. A test puts something wrong in the place of something right.
struct Parts {
    /// What stands between a program's links and its store.
    var store: @Sendable (any MessageStorage) -> any MessageStorage = { $0 }
    /// What becomes of a datagram on its way to an end.
    var tamper: (LinkEnd, [UInt8]) -> [[UInt8]] = { _, datagram in [datagram] }
    /// Whether a sync of a disk keeps what was written.
    var syncs = true
    /// Whether the random numbers of a computer whose database was put back are those that followed the copy, so that the numbers
    /// of items come again.
    var repeatsRandomNumbers = false
    /// SQL that changes a database that was put back.
    var restoring = ""

    // MARK: Watches

    /// The way from a watch's board to its flash chip.
    var flash = WearerFlash.Wiring.right
    /// The number of the phone whose database a phone begins with a copy of: its own.
    var template: (Int) -> Int = { $0 }
    /// Whether a phone's program hears of the changes that commands make.
    var hearsOfCommands = true
    /// The randomness of a watch, from that of the plan, its number and the number of its start.
    var watchSeed: (UInt64, Int, Int) -> UInt64 = { seed, watch, start in
        seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(watch * 1_000 + start)
    }
    /// Starts the program of a watch, which shows files if it takes any.
    var start: (WatchBoot, ShownFiles?) throws(DeviceModelError) -> any WearerProgram = {
        (boot, files) throws(DeviceModelError) in
        guard let files else { return try RuntimeWearerProgram(ShippingHandler(), boot) }
        return try RuntimeWearerProgram(FileShowingHandler(files), boot)
    }

    // MARK: Calendars

    /// What becomes of a request of a phone's before it leaves, or the answer that it has without leaving.
    var request: (HTTPRequest) -> RequestOutcome = { .sent($0) }
    /// What becomes of an answer before the phone reads it.
    var answer: (HTTPRequest, HTTPResponse) -> HTTPResponse = { $1 }

    enum RequestOutcome {
        case sent(HTTPRequest)
        case answered(HTTPResponse)
    }
}
