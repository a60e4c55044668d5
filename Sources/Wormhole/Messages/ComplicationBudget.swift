import Foundation
import HostSystem
import WatchLink

/// The budget that a complication message is charged to.
package struct ComplicationPayment: Hashable, Sendable {
    /// The local day, counted from 1970-01-01.
    package let day: UInt32
    /// How many complication messages may go to one peer on a day.
    package let daily: Int

    package init(day: UInt32, daily: Int) {
        self.day = day
        self.daily = daily
    }
}

/// How many complication messages went to one peer on a day, and how many more may: a store keeps it for each peer.
///
/// What is beyond the budget goes out as an ordinary queued message. The day is the local one of the wearer.
package struct ComplicationBudget: Hashable, Sendable {
    /// The day that was spent from, counted from 1970-01-01.
    package private(set) var day: UInt32
    /// The messages of that day.
    package private(set) var spent: Int

    /// What a store has kept; by default nothing was ever spent.
    package init(day: UInt32 = 0, spent: Int = 0) {
        self.day = day
        self.spent = spent
    }

    /// The day of a local time in seconds since 1970.
    package static func day(ofLocalTime seconds: UInt32) -> UInt32 { seconds / 86_400 }

    /// How many complication messages may still go out today.
    ///
    /// A wearer who travels west over midnight comes back to a day, and gets no second budget for it. Any other day is a new one:
    /// a clock that was wrong for a while blocks nothing.
    ///
    /// - Parameter daily: the budget of a day.
    package func remaining(on today: UInt32, of daily: Int) -> Int {
        max(0, isSameBudget(today) ? daily - spent : daily)
    }

    /// Spends one, where there is one left: what the next message is charged to.
    package mutating func spend(on today: UInt32, of daily: Int) -> MessageCharge {
        guard remaining(on: today, of: daily) > 0 else { return .nothing }
        if isSameBudget(today) {
            spent += 1
        } else {
            (day, spent) = (today, 1)
        }
        return .complication
    }

    private func isSameBudget(_ today: UInt32) -> Bool { today == day || today &+ 1 == day }
}

/// The day on the calendar of the machine's zone.
enum LocalDay {
    /// Counted from 1970-01-01; 0 before that.
    static var today: UInt32 {
        let now = Date()
        return UInt32(clamping: (Int(now.timeIntervalSince1970) + MachineZone.offset(at: now)) / 86_400)
    }
}
