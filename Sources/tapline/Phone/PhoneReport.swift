import Foundation
import HostSystem
import PhoneHost

/// The types that the commands print as JSON, and functions that print.
enum PhoneReport {
    struct Item: Encodable, Equatable {
        var number: Int?
        var id: UInt32
        var title: String
        var amount: String?
        var note: String?
        var state: State
        var addedAt: Date
        var checkedAt: Date?

        enum State: String, Encodable {
            case open, checked
        }

        init(_ item: StoredItem, number: Int? = nil) {
            self.number = number
            id = item.id.rawValue
            title = item.title
            amount = item.detail.amount
            note = item.detail.note
            state = item.state.isOpen ? .open : .checked
            addedAt = item.addedAt
            checkedAt = item.state.checkedAt
        }
    }

    /// A list with items of it.
    struct Items: Encodable {
        var list: String
        var open: Int
        var checked: Int
        var items: [Item]
    }

    struct Backup: Encodable {
        var database: String
        var file: String
    }

    struct Added: Encodable {
        var list: String
        var open: Int
        var checked: Int
        var items: [Item]
        var present: [Item]
    }

    struct Described: Encodable {
        var list: String
        var item: Item
        var outcome: Change.Outcome
    }

    struct Change: Encodable {
        var list: String
        var items: [Changed]

        struct Changed: Encodable {
            var id: UInt32
            var title: String
            var outcome: Outcome
        }

        enum Outcome: String, Encodable {
            case changed, unchanged

            init(_ outcome: EditOutcome) {
                switch outcome {
                case .changed: self = .changed
                // Another program may have removed the item after this command has read the list.
                case .unchanged, .unknownItem: self = .unchanged
                }
            }
        }
    }

    struct Import: Encodable {
        var list: String
        var imported: Int
        var checked: Int
        var skippedLines: Int
    }

    struct List: Encodable {
        var name: String
        var open: Int
        var checked: Int
        var role: String
    }

    struct Watch: Encodable {
        var identity: String
        var name: String
        var lastConnection: Date
        var waiting: Int
        var repairs: Int

        init(_ watch: WatchRecord) {
            identity = hexadecimal(watch.identity)
            name = watch.name
            lastConnection = watch.lastMetAt
            waiting = watch.waiting
            repairs = watch.repairs
        }
    }

    struct Entry: Encodable {
        var number: Int64
        var event: String
        var id: UInt32
        var title: String?
        var formerTitle: String?
        /// Amount and note after and before a change of them; nil if nothing is said.
        var amount: String?
        var note: String?
        var formerAmount: String?
        var formerNote: String?
        var list: String?
        var time: Date
        var origin: String
        var watch: String?
        /// Whether the phone still knows the watch; nil if no watch did it.
        var watchState: WatchState?
        var epoch: UInt32?
        var sequence: UInt32?
        var tap: UInt32?
        var watchLocalTime: UInt32?

        enum WatchState: String, Encodable {
            case known, forgotten
        }

        init(_ entry: HistoryEntry, known: Set<UInt64>) {
            number = entry.number
            event = entry.event.rawValue
            id = entry.item.rawValue
            title = entry.title
            formerTitle = entry.formerTitle
            amount = entry.description?.after.amount
            note = entry.description?.after.note
            formerAmount = entry.description?.before.amount
            formerNote = entry.description?.before.note
            list = entry.list
            time = entry.time
            origin = entry.origin.name.rawValue
            guard let tap = entry.origin.tap else { return }
            watch = hexadecimal(tap.watch)
            watchState = known.contains(tap.watch) ? .known : .forgotten
            (epoch, sequence) = (tap.epoch, tap.sequence)
            (self.tap, watchLocalTime) = (tap.tap, tap.localTime)
        }
    }

    /// The identity of a watch as people see it: sixteen hexadecimal digits.
    static func hexadecimal(_ identity: UInt64) -> String { "\(HexadecimalText(identity))" }

    /// The time of day as the owner's clock shows it: `2026-11-20 18:05:09`.
    static func localTime(_ date: Date) -> String {
        let zone = TimeZone.current
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func digits(_ value: Int?, _ count: Int = 2) -> String {
            let text = String(value ?? 0)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(digits(parts.year, 4))-\(digits(parts.month))-\(digits(parts.day)) "
            + "\(digits(parts.hour)):\(digits(parts.minute)):\(digits(parts.second))"
    }
}
