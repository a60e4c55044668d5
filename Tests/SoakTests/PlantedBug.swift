import DeviceModel
import Testing
import Watch

@testable import Soak

/// A small wrong version of the system, and the faults under which it is wrong.
struct PlantedBug: CustomTestStringConvertible, Sendable {
    let name: String
    let faults: [FaultKind]
    let parts: @Sendable () -> WorldParts

    var testDescription: String { name }

    init(_ name: String, under faults: [FaultKind], _ change: @escaping @Sendable (inout WorldParts) -> Void) {
        self.name = name
        self.faults = faults
        parts = {
            var parts = WorldParts()
            change(&parts)
            return parts
        }
    }

    /// What it breaks in the plan of a seed; nil for nothing. What is wrong without it too proves nothing.
    func violation(in plan: Plan) -> Violation? {
        guard let violation = plan.run(.silent, parts: parts()).violation, plan.run().violation == nil else {
            return nil
        }
        return violation
    }

    /// The first seed that finds it; nil where none of them does.
    func search(in seeds: Range<UInt64>) -> (seed: UInt64, violation: Violation)? {
        for seed in seeds {
            if let violation = violation(in: Plan(seed: seed)) { return (seed, violation) }
        }
        return nil
    }

    /// The same in plans with its faults alone.
    func searchUnderItsFaults(in seeds: Range<UInt64>) -> (seed: UInt64, violation: Violation)? {
        for seed in seeds {
            if let violation = violation(in: Plan(seed: seed, faults: faults)) { return (seed, violation) }
        }
        return nil
    }

    /// The seeds that have found each, for a quick test.
    static let seeds: [String: UInt64] = [
        "the haptic comes before the record": 7,
        "a tap is felt and never recorded": 0,
        "the phone acknowledges before it commits": 0,
        "the phone acknowledges what it could not commit": 2,
        "the phone applies a message twice": 0,
        "the phone sends a message again in place of the next": 0,
        "the database does not sync": 4,
        "the phone does not hear of commands": 2,
        "two phones have one identity": 19,
        "the watch shows a file that is not what its hash was checked of": 3,
        "the watch says that it has a file before its end is in flash": 10,
        "the phone adds a past item twice": 1,
        "an addition is lost that has waited for the link": 9,
        "a past item has the number of another": 9,
        "the numbers of items are given again after a copy was put back": 135,
    ]

    /// The same in plans with its faults alone.
    static let seedsOfFaults: [String: UInt64] = [
        "the haptic plays although the record has failed": 0,
        "the phone does not tell the watch what it has lost": 2,
        "the phone acknowledges every fifth check-off without applying it": 2,
        "the flash says that it has programmed a page and has not": 4,
        "the watch draws the same epoch at every start": 46,
        "a torn page takes its neighbour with it": 19,
    ]

    /// Where the slot of a file begins, if this is programmed to say that the file is stored: a word in the slot's third page.
    private static func slot(ofEnd address: Int, _ bytes: [UInt8]) -> Int? {
        let geometry = Wrist.geometryWithFiles
        let slots = [
            geometry.sectorCount - geometry.fileSectorCount, geometry.sectorCount - geometry.fileSectorCount / 2,
        ]
        return bytes.count == 4 ? slots.map { $0 * geometry.sectorSize }.first { address == $0 + 2 * 256 } : nil
    }

    /// A plan that is known to find it.
    var knownPlan: Plan? {
        PlantedBug.seeds[name].map { Plan(seed: $0) }
            ?? PlantedBug.seedsOfFaults[name].map { Plan(seed: $0, faults: faults) }
    }

    static let all = [
        PlantedBug("the haptic comes before the record", under: [.powerCut]) {
            $0.start = { boot throws(DeviceModelError) in try RuntimeRun(HastyHandler(), boot) }
        },
        PlantedBug("a tap is felt and never recorded", under: [.cut]) {
            $0.start = { boot throws(DeviceModelError) in try RuntimeRun(ForgetfulHandler(), boot) }
        },
        PlantedBug("the phone acknowledges before it commits", under: [.kill]) {
            $0.store = { WrongStore($0, .acknowledgesEarly) }
        },
        PlantedBug("the phone acknowledges what it could not commit", under: [.diskFailure]) {
            $0.store = { WrongStore($0, .acknowledgesFailures) }
        },
        PlantedBug("the phone applies a message twice", under: [.cut]) {
            $0.store = { WrongStore($0, .appliesTwice) }
        },
        PlantedBug("the phone sends a message again in place of the next", under: [.cut]) {
            $0.store = { WrongStore($0, .repeatsMessages) }
        },
        PlantedBug("the haptic plays although the record has failed", under: [.wornFlash]) {
            $0.start = { boot throws(DeviceModelError) in try RuntimeRun(CheerfulHandler(), boot) }
        },
        PlantedBug("the phone acknowledges every fifth check-off without applying it", under: [.cut]) {
            $0.store = { WrongStore($0, .dropsMessages) }
        },
        PlantedBug("the phone does not tell the watch what it has lost", under: [.databaseRollback]) {
            $0.store = { WrongStore($0, .hidesLosses) }
        },
        PlantedBug("the database does not sync", under: [.phonePowerLoss]) { $0.syncing = .pretended },
        PlantedBug("the phone does not hear of commands", under: [.cut]) { $0.hearing = .none },
        PlantedBug("two phones have one identity", under: [.anotherPhone]) { $0.template = { _ in 0 } },
        PlantedBug("the flash says that it has programmed a page and has not", under: [.powerCut]) {
            $0.flash.program = { (chip, address, bytes) throws(FlashError) in
                guard address / 256 % 4 != 3 else { return }
                try chip.programFlash(at: address, bytes.span)
            }
        },
        PlantedBug("a torn page takes its neighbour with it", under: [.powerCut]) {
            $0.flash.torn = { chip, address in
                let page = max(0, address / 256 - 1) * 256
                for index in page..<page + 256 { chip.contents[index] = 0 }
            }
        },
        PlantedBug("the watch shows a file that is not what its hash was checked of", under: [.cut]) {
            $0.flash.program = { (chip, address, bytes) throws(FlashError) in
                try chip.programFlash(at: address, bytes.span)
                if let slot = PlantedBug.slot(ofEnd: address, bytes) { chip.contents[slot + 3 * 256 + 4] ^= 1 }
            }
        },
        PlantedBug("the watch says that it has a file before its end is in flash", under: [.powerCut]) {
            $0.flash.program = { (chip, address, bytes) throws(FlashError) in
                guard PlantedBug.slot(ofEnd: address, bytes) == nil else { return }
                try chip.programFlash(at: address, bytes.span)
            }
        },
        PlantedBug("the phone adds a past item twice", under: [.cut]) { $0.store = { WrongStore($0, .addsTwice) } },
        PlantedBug("an addition is lost that has waited for the link", under: [.cut]) {
            $0.store = { WrongStore($0, .losesAdditionsOnReturn) }
        },
        PlantedBug("a past item has the number of another", under: [.cut]) {
            $0.store = { WrongStore($0, .givesNumbersTwice) }
        },
        PlantedBug("the numbers of items are given again after a copy was put back", under: [.databaseRollback]) {
            $0.randomness = .ofTheCopy
        },
        PlantedBug("the watch draws the same epoch at every start", under: [.flashRollback]) {
            $0.watchSeed = { seed, watch, _ in seed &+ UInt64(watch) }
        },
    ]
}

/// Haptic, then message.
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

/// A click, whatever has become of the record.
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

/// No message.
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
