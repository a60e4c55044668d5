import Foundation
import HostSystem
import WatchLink

package struct ComplicationPayment: Hashable, Sendable {
    package let day: UInt32
    package let daily: Int

    package init(day: UInt32, daily: Int) {
        self.day = day
        self.daily = daily
    }
}

/// Counts the complication messages to one peer on one local day of the wearer. Messages beyond the budget go out as ordinary
/// queued messages. Days are counted from 1970-01-01.
package struct ComplicationBudget: Hashable, Sendable {
    package private(set) var day: UInt32 = 0
    package private(set) var spent = 0

    package static func day(ofLocalTime seconds: UInt32) -> UInt32 { seconds / 86_400 }

    /// Returns how many messages are left on `today`. If that is the day before `day`, the messages of `day` count, because
    /// a wearer may travel west over midnight. Any other change of day starts a new budget, so a clock that was wrong for a
    /// while blocks nothing.
    package func remaining(on today: UInt32, of daily: Int) -> Int {
        max(0, isSameBudget(today) ? daily - spent : daily)
    }

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

enum LocalDay {
    /// Days since 1970-01-01; 0 for earlier days.
    static var today: UInt32 {
        let now = Date()
        return UInt32(clamping: (Int(now.timeIntervalSince1970) + MachineZone.offset(at: now)) / 86_400)
    }
}
