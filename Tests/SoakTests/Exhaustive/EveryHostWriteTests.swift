import Foundation
import TestSupport
import Testing
import WatchLink

@testable import PhoneHost
@testable import soak

/// Each write of a phone's program fails once while a watch is connected, its wearer taps and its owner edits: the log says
/// so, every promise holds, and both come to say that they are in sync.
///
/// By default some of them, another run of the tests others; with NIGHTLY=yes all.
struct EveryHostWriteTests {
    private static var isThorough: Bool { ProcessInfo.processInfo.environment["NIGHTLY"] != nil }

    private static let events: [(at: Int, what: WatchScenario.Event)] = [
        (2_000, .tap(watch: 0, row: 0)), (3_000, .add(phone: 0, count: 2)), (4_000, .tap(watch: 0, row: 1)),
        (5_000, .uncheck(phone: 0, item: 0)), (6_000, .cut(watch: 0)), (7_000, .tap(watch: 0, row: 0)),
        (9_000, .importList(phone: 0, count: 4)), (10_000, .switchList(phone: 0, list: 1)),
        (11_000, .switchList(phone: 0, list: 0)), (12_000, .leave(watch: 0, milliseconds: 1_000)),
        (12_500, .tap(watch: 0, row: 0)), (15_000, .remove(phone: 0, item: 1)), (16_000, .check(phone: 0, item: 0)),
    ]

    private static let day = Plan<WatchScenario>(seed: 11, cast: WatchCast(watches: 1, items: [5]), events)

    private struct DayOutcome {
        var violation: Violation?
        var failures = 0
        var writes = 0
        var log: [String] = []
    }

    private static func run(_ fate: DiskProcess.Fate) -> DayOutcome {
        var result = DayOutcome()
        var (process, phone) = (DiskProcess?.none, PhoneComputer?.none)
        result.violation =
            day.run(
                began: { scenario in
                    phone = scenario.phones[0]
                    process = phone?.program?.process
                    result.writes = -(process?.writes ?? 0)
                    process?.fate = fate
                }, ending: { _ in result.writes += process?.writes ?? 0 }
            ).violation
        result.failures = process?.failures ?? 0
        result.log = phone?.log.lines ?? []
        return result
    }

    @Test func `each failing once is told, and no promise is broken`() {
        let whole = Self.run(.none)
        #expect(whole.violation == nil && whole.failures == 0 && whole.writes > 60, "\(whole)")
        let seed = Seed.printed(for: "one write of a host fails")
        let step = Self.isThorough ? 1 : 61
        for write in stride(from: Self.isThorough ? 0 : Int(seed % 61), to: whole.writes, by: step) {
            for trouble in [DiskProcess.Trouble.failing, .full] {
                let outcome = Self.run(.failing(trouble, after: write, count: 1))
                let place = "write \(write) is \(trouble)"
                #expect(outcome.violation == nil, "\(place): \(String(describing: outcome.violation))")
                #expect(outcome.failures == 1, "\(place)")
                let isTold = outcome.log.contains {
                    $0.hasPrefix("error") && ($0.contains("no space is left") || $0.contains("could not be used"))
                }
                #expect(isTold, "\(place): \(outcome.log)")
            }
        }
    }
}
