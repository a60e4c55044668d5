import DeviceModel
import Testing
import Watch

@testable import soak

extension PlantedBug<WatchScenario> {
    /// Returns the start address of a file's slot if a program operation marks the file there as stored; otherwise nil.
    /// The mark is a word in the slot's third page.
    private static func slot(ofEnd address: Int, _ bytes: [UInt8]) -> Int? {
        let geometry = SimulatedWearer.geometryWithFiles
        let slots = [
            geometry.sectorCount - geometry.fileSectorCount, geometry.sectorCount - geometry.fileSectorCount / 2,
        ]
        return bytes.count == 4 ? slots.map { $0 * geometry.sectorSize }.first { address == $0 + 2 * 256 } : nil
    }

    /// The wearer checks off an item that the restored database lacks. A new item may get the same number.
    private static let takenTwice = Plan<WatchScenario>(
        seed: 1, cast: WatchCast(watches: 1, items: [1]),
        [
            (1_000, .leave(watch: 0, milliseconds: 2_500)), (1_500, .phone(number: 0, fault: .saveDatabase)),
            (2_000, .add(phone: 0, count: 1)), (6_000, .leave(watch: 0, milliseconds: 9_000)),
            (7_000, .tap(watch: 0, row: 0)), (8_000, .tap(watch: 0, row: 0)), (9_000, .tap(watch: 0, row: 1)),
            (11_000, .phone(number: 0, fault: .restoreDatabase)), (12_000, .add(phone: 0, count: 1)),
        ])

    static var all: [PlantedBug] {
        [
            PlantedBug("the haptic comes before the record", breaking: .feltIsKept, seed: 7) {
                $0.start = { (boot, _) throws(DeviceModelError) in try RuntimeWearerProgram(HastyHandler(), boot) }
            },
            PlantedBug("a tap is felt and never recorded", breaking: .inSyncIsTrue, seed: 12) {
                $0.start = { (boot, _) throws(DeviceModelError) in try RuntimeWearerProgram(ForgetfulHandler(), boot) }
            },
            PlantedBug("the phone acknowledges before it commits", breaking: .inSyncIsTrue, seed: 11) {
                $0.store = { WrongStore($0, .acknowledgesEarly) }
            },
            PlantedBug("the phone acknowledges what it could not commit", breaking: .inSyncIsTrue, seed: 28) {
                $0.store = { WrongStore($0, .acknowledgesFailures) }
            },
            PlantedBug("the phone applies a message twice", breaking: .nothingInvented, seed: 11) {
                $0.store = { WrongStore($0, .appliesTwice) }
            },
            PlantedBug("the phone sends a message again in place of the next", breaking: .inSyncIsTrue, seed: 1) {
                $0.store = { WrongStore($0, .repeatsMessages) }
            },
            PlantedBug(
                "the haptic plays although the record has failed", breaking: .feltIsKept, seed: 4, under: [.wornFlash]
            ) {
                $0.start = { (boot, _) throws(DeviceModelError) in try RuntimeWearerProgram(CheerfulHandler(), boot) }
            },
            PlantedBug(
                "the phone acknowledges every fifth check-off without applying it", breaking: .inSyncIsTrue, seed: 11
            ) {
                $0.store = { WrongStore($0, .dropsMessages) }
            },
            PlantedBug(
                "the phone does not tell the watch what it has lost", breaking: .feltIsKept, seed: 3,
                under: [.databaseRollback]
            ) {
                $0.store = { WrongStore($0, .hidesLosses) }
            },
            PlantedBug("the database does not sync", breaking: .converges, seed: 48) { $0.syncs = false },
            PlantedBug("the phone does not hear of commands", breaking: .inSyncIsTrue, seed: 14) {
                $0.hearsOfCommands = false
            },
            PlantedBug("two phones have one identity", breaking: .onlyYourPhone, seed: 49) { $0.template = { _ in 0 } },
            PlantedBug(
                "the flash says that it has programmed a page and has not", breaking: .feltIsKept, seed: 4,
                under: [.powerCut]
            ) {
                $0.flash.program = { (chip, address, bytes) throws(FlashError) in
                    guard address / 256 % 4 != 3 else { return }
                    try chip.programFlash(at: address, bytes.span)
                }
            },
            PlantedBug("a torn page takes its neighbour with it", breaking: .feltIsKept, seed: 19, under: [.powerCut]) {
                $0.flash.torn = { chip, address in
                    let page = max(0, address / 256 - 1) * 256
                    for index in page..<page + 256 { chip.contents[index] = 0 }
                }
            },
            PlantedBug(
                "the watch shows a file that is not what its hash was checked of", breaking: .fileIsWhole, seed: 24
            ) {
                $0.flash.program = { (chip, address, bytes) throws(FlashError) in
                    try chip.programFlash(at: address, bytes.span)
                    if let slot = PlantedBug.slot(ofEnd: address, bytes) { chip.contents[slot + 3 * 256 + 4] ^= 1 }
                }
            },
            PlantedBug("the watch says that it has a file before its end is in flash", breaking: .fileIsWhole, seed: 10)
            {
                $0.flash.program = { (chip, address, bytes) throws(FlashError) in
                    guard PlantedBug.slot(ofEnd: address, bytes) == nil else { return }
                    try chip.programFlash(at: address, bytes.span)
                }
            },
            PlantedBug("the phone adds a past item twice", breaking: .nothingInvented, seed: 15) {
                $0.store = { WrongStore($0, .addsTwice) }
            },
            PlantedBug("an addition is lost that has waited for the link", breaking: .inSyncIsTrue, seed: 15) {
                $0.store = { WrongStore($0, .losesAdditionsOnReturn) }
            },
            PlantedBug("a past item has the number of another", breaking: .feltIsKept, seed: 39) {
                $0.store = { WrongStore($0, .givesNumbersTwice) }
            },
            PlantedBug(
                "the numbers of items are given again after a copy was put back", breaking: .feltIsKept, in: takenTwice
            ) {
                $0.repeatsRandomNumbers = true
            },
            PlantedBug(
                "the watch draws the same epoch at every start", breaking: .feltIsKept, seed: 46,
                under: [.flashRollback]
            ) {
                $0.watchSeed = { seed, watch, _ in seed &+ UInt64(watch) }
            },
        ]
    }
}

private struct HastyHandler: ComposedTapHandler {
    var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Deferred(Haptic.self)
        Deferred(PhoneMessage.self)
        Deferred(RemainingCount.self)
        Deferred(Placeholder.self)
        Deferred(ComplicationUpdate.self)
    }
}

/// Plays a click even if the record was not stored.
private enum Click: TapStage {
    static var name: StaticString { "haptic" }

    static func run<B: Board & ~Copyable>(_ tap: Watch.Tap, on watch: inout WatchCore<B>) { watch.board.play(.click) }
}

private struct CheerfulHandler: ComposedTapHandler {
    var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Deferred(Click.self)
        Deferred(PhoneMessage.self)
        Deferred(RemainingCount.self)
        Deferred(Placeholder.self)
        Deferred(ComplicationUpdate.self)
    }
}

private struct ForgetfulHandler: ComposedTapHandler {
    var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Deferred(Haptic.self)
        Deferred(RemainingCount.self)
        Deferred(Placeholder.self)
        Deferred(ComplicationUpdate.self)
    }
}
