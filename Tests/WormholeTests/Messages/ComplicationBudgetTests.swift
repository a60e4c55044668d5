import Testing
import WatchLink

@testable import Wormhole

struct ComplicationBudgetTests {
    private let noon: UInt32 = 1_789_992_000

    @Test func `The fiftieth is charged and the fifty-first is not; the next day has as many`() {
        var budget = ComplicationBudget()
        let today = ComplicationBudget.day(ofLocalTime: noon)
        #expect(budget.remaining(on: today, of: 50) == 50)
        for left in (0..<50).reversed() {
            #expect(budget.spend(on: today, of: 50) == .complication)
            #expect(budget.remaining(on: today, of: 50) == left)
        }
        #expect(budget.spend(on: today, of: 50) == .nothing && budget.spent == 50)
        #expect(budget.spend(on: today + 1, of: 50) == .complication)
        #expect(budget == ComplicationBudget(day: today + 1, spent: 1))
    }

    @Test func `A day is that of the local time: it ends at midnight`() {
        let midnight = noon + 43_200
        #expect(ComplicationBudget.day(ofLocalTime: midnight) == ComplicationBudget.day(ofLocalTime: noon) + 1)
        #expect(ComplicationBudget.day(ofLocalTime: midnight - 1) == ComplicationBudget.day(ofLocalTime: noon))
    }

    @Test func `What was kept goes on where it was`() {
        var budget = ComplicationBudget(day: 20_717, spent: 49)
        #expect(budget.spend(on: 20_717, of: 50) == .complication)
        #expect(budget.spend(on: 20_717, of: 50) == .nothing)
        // If the daily budget is lowered below the number already spent, nothing is left.
        #expect(budget.remaining(on: 20_717, of: 10) == 0)
        #expect(ComplicationBudget().spend(of: 0) == .nothing)
    }

    @Test func `Back over midnight is no second budget; a clock that was years ahead blocks nothing`() {
        var budget = ComplicationBudget(day: 20_717, spent: 50)
        #expect(budget.spend(on: 20_716, of: 50) == .nothing)
        #expect(budget.remaining(on: 20_715, of: 50) == 50)
        var ahead = ComplicationBudget(day: 40_000, spent: 50)
        #expect(ahead.spend(on: 20_717, of: 50) == .complication && ahead.day == 20_717)
    }
}

extension ComplicationBudget {
    fileprivate func spend(of daily: Int) -> MessageCharge {
        var budget = self
        return budget.spend(on: 1, of: daily)
    }
}
