import DeviceModelTesting
import Foundation
import SeededNumbers
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

/// The power fails at every operation of a day's flash chip, in every torn form, and again during the recovery; and each
/// operation fails once. Judged by what was felt: it reaches the phone exactly once, in order.
///
/// By default the second cuts and the failing operations are a part of all, which another run of the tests begins
/// elsewhere; nightly they are all.
struct EveryCutTests {
    /// What a phone and a watch must agree on after everything.
    private func judge(_ run: WatchedRun, taps: Int, felt: Int, _ place: String) {
        let checked = run.phone.checkOffs.map(\.id)
        #expect(checked == checked.sorted() && Set(checked).count == checked.count, "\(place): \(checked)")
        #expect(checked.count >= felt, "\(place): \(felt) were felt, \(checked)")
        #expect(checked.count <= taps, "\(place): \(taps) were made, \(checked)")
        #expect(run.titles == run.phone.waiting.map(\.title), "\(place)")
        #expect(run.screen.isSynchronized, "\(place)")
    }

    @Test func `a cut at every operation, in every torn form, loses nothing that was felt`() throws {
        let (moments, _, _) = try ScriptedDay.moments()
        #expect(moments.last?.felt ?? 0 >= 19)
        let erases = moments.count { if case .erase = $0.operation { true } else { false } }
        #expect(erases >= 2 * ScriptedDay.geometry.sectorCount / 2)
        for (number, moment) in moments.enumerated() {
            for (form, torn) in TornForm.allCases.enumerated() {
                let chip = torn.left(of: moment, seed: UInt64(number * 8 + form))
                let run = try WatchedRun(chip, SimulatedPhone(restoredFrom: moment.phone), seed: 77)
                run.connect()
                judge(run, taps: moment.taps, felt: moment.felt, "operation \(number), \(torn)")
            }
        }
    }

    @Test func `a second cut at every operation of the recovery loses nothing either`() throws {
        let (moments, _, _) = try ScriptedDay.moments()
        let seed = Seed.printed(for: "second cuts")
        var random = SplitMix64(seed: seed)
        let step = TestLevel.rounds(97, nightly: 1)
        var next = Int(random.next() % UInt64(step))
        var place = 0
        for (number, moment) in moments.enumerated() {
            for torn in [TornForm.half, .random] {
                let chip = torn.left(of: moment, seed: seed &+ UInt64(number))
                var recovery: [ScriptedDay.Moment] = []
                var current: WatchedRun?
                let phone = SimulatedPhone(restoredFrom: moment.phone)
                // What the mount does, and all until both are in sync.
                let run = try WatchedRun(chip, phone, seed: 78) { operation in
                    defer { place += 1 }
                    guard place >= next, let current else { return }
                    next = place + step
                    recovery.append(
                        ScriptedDay.Moment(
                            chip: current.flash.chip, phone: SimulatedPhone(restoredFrom: current.phone),
                            operation: operation, taps: moment.taps, felt: moment.felt))
                }
                current = run
                run.connect()
                current = nil
                for second in recovery {
                    let left = TornForm.random.left(of: second, seed: random.next())
                    let last = try WatchedRun(left, second.phone, seed: 79)
                    last.connect()
                    judge(last, taps: moment.taps, felt: moment.felt, "operation \(number), \(torn), then \(place)")
                }
            }
        }
    }

    @Test func `each operation failing once loses nothing that was felt`() throws {
        let count = try ScriptedDay.moments().moments.count
        let seed = Seed.printed(for: "one operation fails")
        let step = TestLevel.rounds(13, nightly: 1)
        for operation in stride(from: Int(seed % UInt64(step)), to: count, by: step) {
            for error in [FlashError.verifyFailed, .notResponding] {
                var chip = ScriptedDay.blank
                chip.failOnce(with: error, afterOperations: operation, seed: seed &+ UInt64(operation))
                let (moments, end, phone) = try ScriptedDay.moments(on: chip)
                let run = try WatchedRun(end, phone, seed: 80)
                run.connect()
                judge(run, taps: 20, felt: moments.last?.felt ?? 0, "operation \(operation), \(error)")
            }
        }
    }
}
