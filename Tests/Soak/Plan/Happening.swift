/// Something that a plan has happen: what people do, and what goes wrong. Watches, phones, rows and items are numbered from
/// 0; a number that is too large counts from the beginning again.
package enum Happening: Codable, Equatable, Sendable {
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
    /// A check-list in Markdown, some of whose items are checked off already.
    case importList(phone: Int, count: Int)
    /// What was checked off last is put back.
    case undo(phone: Int)
    /// The wearer taps, and `pause` milliseconds later the owner puts back what was checked off last.
    case tapAndUndo(watch: Int, row: Int, pause: Int)
    /// The phone forgets one of the watches that it knows.
    case forget(phone: Int, watch: Int)
    /// The owner types the title of something that was bought before.
    case retype(phone: Int, item: Int)
    /// The owner of the phone that serves sends a file to one of the watches that it knows.
    case sendFile(watch: Int, bytes: Int)
    /// Another phone's program is on the socket from now on.
    case serve(phone: Int)

    // What goes wrong with the air.
    case noise(watch: Int, percent: Int, jitter: Int, milliseconds: Int)
    case cut(watch: Int)
    /// What goes to the phone, or comes from it, or both, is lost until the channel ends.
    case deafen(watch: Int, direction: Deafness)

    // What goes wrong with a watch.
    case losePower(watch: Int, afterOperations: Int?, milliseconds: Int)
    /// The power fails once more, while the watch reads its flash after the last time.
    case losePowerTwice(watch: Int, afterOperations: Int, again: Int, milliseconds: Int)
    case failFlash(watch: Int, afterOperations: Int, error: FlashTrouble)
    /// No sector takes anything any more.
    case wearOutFlash(watch: Int)
    case rotFlash(watch: Int)
    case saveFlash(watch: Int)
    case restoreFlash(watch: Int)
    /// The flash of one watch is copied to another.
    case cloneFlash(watch: Int, to: Int)
    /// The watch's wall clock is set forward by `seconds`, or back where they are negative.
    case setWatchClock(watch: Int, seconds: Int)

    // What goes wrong with a phone.
    case killHost(afterWrites: Int?, milliseconds: Int)
    case losePhonePower(afterWrites: Int?, milliseconds: Int)
    case restartHost(milliseconds: Int)
    case failDisk(afterWrites: Int, count: Int, full: DiskTrouble)
    case saveDatabase(phone: Int)
    case restoreDatabase(phone: Int, milliseconds: Int)
    /// The phone's wall clock is set forward by `seconds`, or back where they are negative.
    case setClock(phone: Int, seconds: Int)

    /// Which ways nothing is heard.
    package enum Deafness: String, Codable, Sendable {
        case phone, watch, both
    }

    /// What a flash chip reports.
    package enum FlashTrouble: String, Codable, Sendable {
        case verifyFailed, notResponding
    }

    /// What a disk reports.
    package enum DiskTrouble: String, Codable, Sendable {
        case failing, full
    }
}

extension Happening {
    /// The kind of fault for the counts; nil for what people do.
    var fault: FaultKind? {
        switch self {
        case .tap, .doubleTap, .flurry, .turn, .tapAndTurn, .pressCrown, .pressSide, .addPast, .leave, .add, .remove,
            .check,
            .uncheck, .switchList, .importList, .undo, .tapAndUndo, .forget, .retype, .sendFile:
            nil
        case .saveFlash, .saveDatabase: nil
        case .serve: .anotherPhone
        case .noise: .noise
        case .cut: .cut
        case .deafen: .halfOpen
        case .losePower: .powerCut
        case .losePowerTwice: .powerCutTwice
        case .failFlash: .flashFailure
        case .wearOutFlash: .wornFlash
        case .rotFlash: .bitRot
        case .restoreFlash: .flashRollback
        case .cloneFlash: .clone
        case .killHost: .kill
        case .losePhonePower: .phonePowerLoss
        case .restartHost: .restart
        case .failDisk(_, _, .failing): .diskFailure
        case .failDisk(_, _, .full): .diskFull
        case .restoreDatabase: .databaseRollback
        case .setWatchClock: .watchClockJump
        case .setClock: .clockJump
        }
    }
}

/// The kinds of faults, as reports count those that happened.
package enum FaultKind: String, Codable, CaseIterable, Sendable {
    case anotherPhone, noise, cut, halfOpen, powerCut, powerCutTwice, flashFailure, bitRot, flashRollback, clone, kill
    case phonePowerLoss, restart, diskFailure, diskFull, databaseRollback, clockJump, largeSequence
    case wornFlash, watchClockJump
    /// Every operation of the flash chips takes the longest time in the datasheet.
    case slowFlash

    /// Those that come among the events of a plan, or instead of some; one of the others comes in the place of some of these.
    static let drawn = allCases.filter { $0 != .slowFlash }
}
