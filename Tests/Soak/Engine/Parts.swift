import CalDAV
import DeviceModel
import Watch
import Wormhole

/// Replaceable parts of scenarios. A test replaces one by a faulty part.
struct Parts {
    /// Wraps the store of a program.
    var store: @Sendable (any MessageStorage) -> any MessageStorage = { $0 }
    /// Changes, drops or repeats a datagram to an end.
    var tamper: (LinkEnd, [UInt8]) -> [[UInt8]] = { _, datagram in [datagram] }
    /// Whether a sync of a disk makes writes durable.
    var syncs = true
    /// Whether a computer draws the numbers that followed the copy of its database, so that items' numbers come again.
    var repeatsRandomNumbers = false
    /// SQL that changes a restored database.
    var restoring = ""

    // MARK: Watches

    /// The connection of a watch's board to its flash chip.
    var flash = WearerFlash.Wiring.right
    /// The number of the phone whose database a phone starts with; its own by default.
    var template: (Int) -> Int = { $0 }
    /// Whether a phone's program is notified of changes by commands.
    var hearsOfCommands = true
    /// The seed of a watch's start, from the plan's seed, the watch's number and the start's number.
    var watchSeed: (UInt64, Int, Int) -> UInt64 = { seed, watch, start in
        seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(watch * 1_000 + start)
    }
    /// Starts the program of a watch.
    var start: (WatchBoot, ShownFiles?) throws(DeviceModelError) -> any WearerProgram = {
        (boot, files) throws(DeviceModelError) in
        guard let files else { return try RuntimeWearerProgram(ShippingHandler(), boot) }
        return try RuntimeWearerProgram(FileShowingHandler(files), boot)
    }

    // MARK: Calendars

    /// Changes a phone's request before it is sent, or answers it directly.
    var request: (HTTPRequest) -> RequestOutcome = { .sent($0) }
    /// Changes an answer before the phone reads it.
    var answer: (HTTPRequest, HTTPResponse) -> HTTPResponse = { $1 }

    enum RequestOutcome {
        case sent(HTTPRequest)
        case answered(HTTPResponse)
    }
}
