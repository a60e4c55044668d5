import Foundation
import Testing
import WatchLink

@testable import PhoneHost
@testable import soak

struct WatchOracleTests {
    private static let told = (log: ["warning: it gets everything again"], notices: ["Phone restored: changes lost"])

    private func oracle(_ titles: String...) -> WatchOracle {
        var oracle = WatchOracle()
        for (second, title) in titles.enumerated() {
            oracle.added(title, to: 0)
            tap(title, second: second, &oracle)
        }
        return oracle
    }

    private func tap(_ title: String, second: Int, _ oracle: inout WatchOracle) {
        let time = Instant.start + .seconds(UInt32(second))
        oracle.saw(title, struckOn: 0, at: time)
        _ = oracle.felt(on: 0, at: time)
    }

    private func history(_ titles: String?...) -> [HistoryEntry] {
        titles.enumerated().map { index, title in
            HistoryEntry(
                number: Int64(index), event: .checked, item: ItemIdentifier(rawValue: UInt32(index + 1)), title: title,
                list: nil, time: Date(timeIntervalSince1970: 0),
                origin: .watch(WatchTap(watch: 1, epoch: 1, sequence: UInt32(index + 1))))
        }
    }

    private func additions(_ titles: String...) -> [HistoryEntry] {
        titles.enumerated().map { index, title in
            HistoryEntry(
                number: Int64(index), event: .added, item: ItemIdentifier(rawValue: UInt32(index + 100)), title: title,
                list: nil, time: Date(timeIntervalSince1970: 0), origin: .command)
        }
    }

    private func judge(_ oracle: WatchOracle, _ history: [HistoryEntry], isTold: Bool = true) -> Violation? {
        let (log, notices) = isTold ? Self.told : ([], [])
        return oracle.judge([WatchOracle.Evidence(phone: 0, history: history, log: log, notices: notices)])
    }

    @Test func `a tap that neither flash nor database remembers any more breaks no promise`() {
        var oracle = oracle("Milk")
        oracle.putBack(0, to: 0, history: [history("Milk")])
        oracle.rolledBack(0, before: history("Milk"), after: [], known: ["Milk"])
        #expect(judge(oracle, [], isTold: false) == nil)
    }

    @Test func `a tap whose record may be younger than the copy of the flash breaks no promise`() {
        var oracle = oracle("Milk")
        oracle.saw("Rye", struckOn: 0, at: .start)
        let moment = oracle.moment(of: 0)
        #expect(oracle.felt(on: 0, at: .start) != nil)
        oracle.putBack(0, to: moment, history: [history("Milk")])
        #expect(judge(oracle, history("Milk"), isTold: false) == nil)
    }

    @Test func `a tap that the flash remembers is lost only if both sides say so`() {
        var oracle = oracle("Milk")
        oracle.rolledBack(0, before: history("Milk"), after: [], known: ["Milk"])
        #expect(judge(oracle, []) == nil)
        #expect(judge(oracle, [], isTold: false)?.promise == .feltIsKept)
    }

    @Test func `a check-off without a title is that of the tap that has no excuse`() {
        var oracle = oracle("Milk", "Rye")
        oracle.rolledBack(0, before: history("Milk"), after: [], known: [])
        #expect(judge(oracle, history(nil)) == nil)
        #expect(judge(oracle, [])?.promise == .feltIsKept)
    }

    @Test func `a tap on an item that the database has lost is lost with its next older copy, if both sides say so`() {
        var oracle = oracle("Milk", "Rye")
        oracle.rolledBack(0, before: [], after: [], known: ["Rye"])
        oracle.rolledBack(0, before: history(nil, "Rye"), after: history("Rye"), known: ["Rye"])
        #expect(judge(oracle, history("Rye")) == nil)
        #expect(judge(oracle, history(nil, "Rye")) == nil)
        #expect(judge(oracle, [])?.promise == .feltIsKept, "Rye was never lost")
        #expect(judge(oracle, history("Rye"), isTold: false)?.promise == .feltIsKept)
    }

    @Test func `a check-off without a title that is lost excuses one tap`() {
        var oracle = oracle("Milk", "Eggs")
        oracle.rolledBack(0, before: [], after: [], known: [])
        oracle.rolledBack(0, before: history(nil), after: [], known: [])
        #expect(judge(oracle, history(nil)) == nil)
        #expect(judge(oracle, [])?.promise == .feltIsKept)
    }

    @Test func `a check-off without a title is one of an item that was added again after the copy`() {
        var oracle = oracle("Milk")
        oracle.rolledBack(0, before: additions("Milk", "Milk"), after: additions("Milk"), known: [])
        #expect(judge(oracle, history(nil)) == nil)
        #expect(judge(oracle, [])?.promise == .feltIsKept)
    }

    @Test func `a check-off without a title is none of an item that the copy has`() {
        var oracle = oracle("Milk")
        oracle.rolledBack(0, before: additions("Milk"), after: additions("Milk"), known: [])
        #expect(judge(oracle, history(nil))?.promise == .onlyYourPhone)
    }
}
