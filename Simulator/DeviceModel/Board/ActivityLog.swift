import Synchronization
import WatchLink

/// What the parts of a watch, the radio link and the phone were busy with, one activity after the other: what a trace
/// is drawn from.
package final class ActivityLog: Sendable {
    package struct Activity: Sendable, Equatable {
        package var part: BusyPart
        package var began: Instant
        package var length: Microseconds
    }

    private struct Entries {
        var all: [Activity] = []
        /// Where the newest activity of a part stands.
        var newest: [BusyPart: Int] = [:]
    }

    private let entries = Mutex(Entries())

    package init() {}

    /// The activities, in the order in which they were entered. One that follows another of the same part at once is
    /// one with it.
    package var activities: [Activity] { entries.withLock { $0.all } }

    func enter(_ part: BusyPart, from began: Instant, _ length: Microseconds) {
        guard length > .zero else { return }
        entries.withLock { entries in
            if let index = entries.newest[part], entries.all[index].began + entries.all[index].length == began {
                entries.all[index].length = entries.all[index].length + length
            } else {
                entries.newest[part] = entries.all.count
                entries.all.append(Activity(part: part, began: began, length: length))
            }
        }
    }

    func enter(_ path: WritableKeyPath<TimeSpent, Microseconds>, from began: Instant, _ length: Microseconds) {
        switch path {
        case \.flash: enter(.flash, from: began, length)
        case \.haptic: enter(.haptic, from: began, length)
        // The stages stand for the processor, and the bus itself for those that wait for it.
        case _: break
        }
    }
}

package enum BusyPart: String, Sendable, CaseIterable {
    case panel
    /// The flash chip, while the processor waits for it.
    case flash
    case haptic
    /// The radio link, while packets are in the air.
    case radio
    /// Datagrams that were sent and wait for the next connection event, either way.
    case window
    case phone
}
