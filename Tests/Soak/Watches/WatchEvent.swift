import Watch
import WatchLink

/// An event of watches and phones. Watches, phones and items are numbered from 0. A number that is too large wraps
/// around.
enum WatchEvent: SimulationEvent {
    // Actions of a wearer.
    case tap(watch: Int, row: Int)
    case doubleTap(watch: Int, row: Int)
    /// The wearer taps the same place of the panel `count` times, with `pause` milliseconds between two taps.
    case flurry(watch: Int, row: Int, count: Int, pause: Int)
    case turn(watch: Int, detents: Int8)
    /// The wearer taps, and turns the crown `pause` milliseconds later.
    case tapAndTurn(watch: Int, row: Int, detents: Int8, pause: Int)
    case pressCrown(watch: Int)
    case pressSide(watch: Int)
    /// The wearer swipes to the past items, taps the same place of the panel `count` times to add items, and returns to
    /// the list.
    case addPast(watch: Int, row: Int, count: Int)
    case leave(watch: Int, milliseconds: Int)

    // Actions of an owner.
    case add(phone: Int, count: Int)
    case remove(phone: Int, item: Int)
    case check(phone: Int, item: Int)
    case uncheck(phone: Int, item: Int)
    case switchList(phone: Int, list: Int)
    case importList(phone: Int, count: Int)
    case undo(phone: Int)
    /// The wearer taps. `pause` milliseconds later, the owner reopens the item that was checked off last.
    case tapAndUndo(watch: Int, row: Int, pause: Int)
    case forget(phone: Int, watch: Int)
    case retype(phone: Int, item: Int)
    /// The owner of the serving phone sends a file. `watch` is an index into the watches that this phone knows.
    case sendFile(watch: Int, bytes: Int)

    // Faults of the radio link.
    case noise(watch: Int, percent: Int, jitter: Int, milliseconds: Int)
    case cut(watch: Int)
    /// Datagrams to these ends are lost until the channel closes.
    case deafen(watch: Int, ends: [LinkEnd])

    // Faults of a watch.
    case losePower(watch: Int, afterOperations: Int?, milliseconds: Int)
    /// The power fails as in `losePower`. The power fails a second time in the next run, after the number of flash
    /// operations in `again`.
    case losePowerTwice(watch: Int, afterOperations: Int, again: Int, milliseconds: Int)
    case failFlash(watch: Int, afterOperations: Int, error: FlashTrouble)
    case wearOutFlash(watch: Int)
    case rotFlash(watch: Int)
    case saveFlash(watch: Int)
    case restoreFlash(watch: Int)
    case cloneFlash(watch: Int, to: Int)
    /// The watch's wall clock is set forward by `seconds`, or back if `seconds` is negative.
    case setWatchClock(watch: Int, seconds: Int)

    // Faults of a phone.
    /// A fault of the phone that serves the watches.
    case serving(fault: ComputerFault)
    case phone(number: Int, fault: ComputerFault)
    case serve(phone: Int)

    enum FlashTrouble: String, Codable, Sendable {
        case verifyFailed, notResponding

        var error: FlashError { self == .verifyFailed ? .verifyFailed : .notResponding }
    }
}

struct WatchCast: Codable, Equatable, Sendable {
    var watches: Int
    var items: [Int]
    var flash = Flash.typical

    /// Flash operations take the datasheet's typical times or its maximum times.
    enum Flash: String, Codable, Sendable {
        case typical, maximum
    }
}
