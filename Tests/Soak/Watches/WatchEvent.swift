import Watch
import WatchLink

/// What happens to watches and phones, which are numbered from 0, like rows and items; the count begins again after the last.
enum WatchEvent: SimulationEvent {
    // What a wearer does.
    case tap(watch: Int, row: Int)
    case doubleTap(watch: Int, row: Int)
    /// The wearer taps one place of the panel `count` times, with `pause` milliseconds between two taps.
    case flurry(watch: Int, row: Int, count: Int, pause: Int)
    case turn(watch: Int, detents: Int8)
    /// The wearer taps, and turns the crown `pause` milliseconds later.
    case tapAndTurn(watch: Int, row: Int, detents: Int8, pause: Int)
    case pressCrown(watch: Int)
    case pressSide(watch: Int)
    /// The wearer turns from the list to the past items, adds `count` of them at one place of the panel, and turns back.
    case addPast(watch: Int, row: Int, count: Int)
    /// The wearer walks away from the phone, and comes back after `milliseconds`.
    case leave(watch: Int, milliseconds: Int)

    // What an owner does.
    case add(phone: Int, count: Int)
    case remove(phone: Int, item: Int)
    case check(phone: Int, item: Int)
    case uncheck(phone: Int, item: Int)
    case switchList(phone: Int, list: Int)
    case importList(phone: Int, count: Int)
    case undo(phone: Int)
    /// The wearer taps, and `pause` milliseconds later the owner puts back what was checked off last.
    case tapAndUndo(watch: Int, row: Int, pause: Int)
    case forget(phone: Int, watch: Int)
    case retype(phone: Int, item: Int)
    /// The owner of the phone that serves sends a file to one of the watches that it knows.
    case sendFile(watch: Int, bytes: Int)

    // What goes wrong with the air.
    case noise(watch: Int, percent: Int, jitter: Int, milliseconds: Int)
    case cut(watch: Int)
    /// Datagrams to these ends are lost until the channel ends.
    case deafen(watch: Int, ends: [LinkEnd])

    // What goes wrong with a watch.
    case losePower(watch: Int, afterOperations: Int?, milliseconds: Int)
    /// The power fails once more, at an operation of the flash after the watch has started.
    case losePowerTwice(watch: Int, afterOperations: Int, again: Int, milliseconds: Int)
    case failFlash(watch: Int, afterOperations: Int, error: FlashTrouble)
    case wearOutFlash(watch: Int)
    case rotFlash(watch: Int)
    case saveFlash(watch: Int)
    case restoreFlash(watch: Int)
    case cloneFlash(watch: Int, to: Int)
    /// The watch's wall clock is set forward by `seconds`, or back if they are negative.
    case setWatchClock(watch: Int, seconds: Int)

    // What goes wrong with a phone.
    /// Something that goes wrong with the program or the disk of the phone that serves.
    case serving(fault: ComputerFault)
    /// Something that goes wrong with the clock or the database of a phone.
    case phone(number: Int, fault: ComputerFault)
    case serve(phone: Int)

    enum FlashTrouble: String, Codable, Sendable {
        case verifyFailed, notResponding

        var error: FlashError { self == .verifyFailed ? .verifyFailed : .notResponding }
    }
}

struct WatchCast: Codable, Equatable, Sendable {
    /// The number of watches, 1 to 4.
    var watches: Int
    var items: [Int]
    var flash = Flash.typical

    /// The datasheet's times that flash chips take.
    enum Flash: String, Codable, Sendable {
        case typical, maximum
    }
}
