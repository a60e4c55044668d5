import CalDAV
import DeviceModel
import Watch
import Wormhole

/// The parts of a simulation that a test can replace by faulty parts. The defaults have no fault.
struct Parts {
    var store: @Sendable (any MessageStorage) -> any MessageStorage = { $0 }
    /// Returns the datagrams that arrive at an end in place of a sent datagram: none, one or several.
    var tamper: (LinkEnd, [UInt8]) -> [[UInt8]] = { _, datagram in [datagram] }
    /// False if a sync of a disk makes no write durable.
    var syncs = true
    /// Whether a restored computer repeats the random numbers that it used after the copy was saved. New items then get
    /// the numbers of older items.
    var repeatsRandomNumbers = false
    /// SQL that runs on a database after it is restored.
    var restoring = ""

    // MARK: Watches

    var flash = WearerFlash.Wiring.right
    /// Returns the number of the database template for the phone with this number.
    var template: (Int) -> Int = { $0 }
    /// Whether a phone's program is notified when a command changes its database.
    var hearsOfCommands = true
    /// Returns the seed of a watch's start. The arguments are the plan's seed, the watch's number and the start's
    /// number.
    var watchSeed: (UInt64, Int, Int) -> UInt64 = { seed, watch, start in
        seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(watch * 1_000 + start)
    }
    var start: (WatchBoot, ShownFiles?) throws(DeviceModelError) -> any WearerProgram = {
        (boot, files) throws(DeviceModelError) in
        guard let files else { return try RuntimeWearerProgram(ShippingHandler(), boot) }
        return try RuntimeWearerProgram(FileShowingHandler(files), boot)
    }

    // MARK: Calendars

    var request: (HTTPRequest) -> RequestOutcome = { .sent($0) }
    var answer: (HTTPRequest, HTTPResponse) -> HTTPResponse = { $1 }

    enum RequestOutcome {
        case sent(HTTPRequest)
        case answered(HTTPResponse)
    }
}
