import Foundation
import TestSupport
import Testing
import WatchLink

@testable import PhoneHost
@testable import soak

/// Each test plays the same events once for each tested write of the phone's program. That write fails, or the program
/// or its computer stops there. The log must report a failure, every promise must hold, and both sides must get into
/// sync again.
///
/// By default, a test samples the writes. With NIGHTLY=yes, it takes all of them.
struct EveryHostWriteTests {
    private static let events: [(at: Int, what: WatchScenario.Event)] = [
        (2_000, .tap(watch: 0, row: 0)), (3_000, .add(phone: 0, count: 2)), (4_000, .tap(watch: 0, row: 1)),
        (5_000, .uncheck(phone: 0, item: 0)), (6_000, .cut(watch: 0)), (7_000, .tap(watch: 0, row: 0)),
        (9_000, .importList(phone: 0, count: 4)), (10_000, .switchList(phone: 0, list: 1)),
        (11_000, .switchList(phone: 0, list: 0)), (12_000, .leave(watch: 0, milliseconds: 1_000)),
        (12_500, .tap(watch: 0, row: 0)), (15_000, .remove(phone: 0, item: 1)), (16_000, .check(phone: 0, item: 0)),
    ]

    private static let day = Plan<WatchScenario>(seed: 11, cast: WatchCast(watches: 1, items: [5]), events)

    /// Returns every 61st write from a random start, or every write with NIGHTLY=yes.
    private static func tried(of count: Int) -> StrideTo<Int> {
        let isThorough = ProcessInfo.processInfo.environment["NIGHTLY"] != nil
        let seed = Seed.printed(for: "one write of a host")
        return stride(from: isThorough ? 0 : Int(seed % 61), to: count, by: isThorough ? 1 : 61)
    }

    /// The number of writes of the phone's program during the plan's events; 0 if the plan fails without a fault.
    private static let writes: Int = {
        var (process, writes) = (DiskProcess?.none, 0)
        let outcome = day.run(
            began: { scenario in
                process = scenario.phones[0].program?.process
                writes -= process?.writes ?? 0
            }, ending: { _ in writes += process?.writes ?? 0 })
        return outcome.violation == nil && process?.failures == 0 ? writes : 0
    }()

    @Test(arguments: [DiskProcess.Trouble.failing, .full])
    func `each failing once is told, and no promise is broken`(trouble: DiskProcess.Trouble) {
        #expect(Self.writes > 60)
        for write in Self.tried(of: Self.writes) {
            var phone: PhoneComputer?
            let outcome = Self.day.run(began: { scenario in
                phone = scenario.phones[0]
                phone?.program?.process.fate = .failing(trouble, after: write, count: 1)
            })
            #expect(outcome.violation == nil, "write \(write)")
            #expect(outcome.count(trouble == .full ? .diskFull : .diskFailure) == 1, "write \(write)")
            let log = phone?.log.lines ?? []
            let isTold = log.contains {
                $0.hasPrefix("error") && ($0.contains("no space is left") || $0.contains("could not be used"))
            }
            #expect(isTold, "write \(write): \(log)")
        }
    }

    @Test(arguments: [Loss.nothing, .power])
    func `the program may end at each, or its computer lose its power, and no promise is broken`(loss: Loss) {
        for write in Self.tried(of: Self.writes) {
            let outcome = Self.day.run(began: { scenario in
                let fault = ComputerFault.kill(at: .write(after: write), milliseconds: 500, losing: loss)
                scenario.suffer(fault, scenario.phones[0])
            })
            #expect(outcome.violation == nil, "write \(write)")
            #expect(outcome.count(loss == .power ? .powerLoss : .kill) == 1, "write \(write)")
        }
    }
}
