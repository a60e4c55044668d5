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

/// How many complication messages were charged to one peer's budget on one local day. `day` is the number of days since
/// 1970-01-01. Messages beyond the budget are sent as ordinary queued messages.
package struct ComplicationBudget: Hashable, Sendable {
    package private(set) var day: UInt32 = 0
    package private(set) var spent = 0

    package static func day(ofLocalTime seconds: UInt32) -> UInt32 { seconds / 86_400 }

    /// Returns how many complication messages the budget still allows on `today`. `daily` is the budget of a whole day.
    ///
    /// If `today` is the day before `day`, the budget of `day` continues. A wearer who travels west after midnight can
    /// return to the earlier date. Any other change of date starts a new budget, so a wrong clock cannot block messages later.
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
    /// The present date in this machine's time zone, in days since 1970-01-01; 0 for a date before that.
    static var today: UInt32 {
        let now = Date()
        return UInt32(clamping: (Int(now.timeIntervalSince1970) + MachineZone.offset(at: now)) / 86_400)
    }
}
