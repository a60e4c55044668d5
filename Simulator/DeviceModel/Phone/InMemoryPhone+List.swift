import Foundation
import PhoneHost
import WatchLink

package struct PhoneItem: Sendable, Equatable {
    /// The item's ID in the phone's database, not 0.
    package var id: UInt32
    package var title: String

    package init(id: UInt32, title: String) {
        self.id = id
        self.title = title
    }

    fileprivate var draft: ItemDraft {
        get throws(PhoneError) { ItemDraft(title: try CleanTitle(title), reserved: ItemIdentifier(rawValue: id)) }
    }
}

/// A check-off that a phone has applied or refused.
package struct PhoneCheckOff: Sendable, Equatable {
    package var id: UInt32
    package var sequence: UInt32
}

// The list of a bench. The list's items keep their order, and have the IDs that the bench gives them.
extension InMemoryPhone {
    /// Makes a phone with a list.
    ///
    /// - Parameters:
    ///   - name: the list's name.
    ///   - items: the items, in the order of the list.
    package convenience init(list name: String, items: [PhoneItem], seed: UInt64 = 1) {
        self.init(seed: seed) { store throws(PhoneError) in
            try store.arrangeList(as: name)
            try store.addHere(items.map { item throws(PhoneError) in try item.draft })
        }
    }

    /// Makes a phone whose list has `count` items, called "Item 1" and so on, with IDs from 1.
    package convenience init(items count: Int) {
        self.init(
            list: "Groceries", items: (0..<count).map { PhoneItem(id: UInt32($0 + 1), title: "Item \($0 + 1)") })
    }

    private convenience init(seed: UInt64, _ prepare: (PhoneStore) throws -> Void) {
        do {
            try self.init(seed: seed)
            try prepare(store)
        } catch {
            preconditionFailure("a database in memory takes every list: \(error)")
        }
    }

    /// Changes or reads the database. Traps on an error, because a database in memory fails only for a wrong list.
    private func use<Value>(_ body: (PhoneStore) throws(PhoneError) -> Value) -> Value {
        do throws(PhoneError) { return try body(store) } catch { preconditionFailure("the phone's database: \(error)") }
    }

    private func change(_ body: (PhoneStore) throws(PhoneError) -> Void) {
        use(body)
        databaseChanged()
    }

    /// Adds an item at the end of the list, or at `rank`. The list is sorted by rank.
    package func add(_ item: PhoneItem, rank: UInt32? = nil) {
        change { store throws(PhoneError) in try store.addHere([try item.draft], rank: rank) }
    }

    package func rename(_ id: UInt32, to title: String) {
        edit(id) { date throws(PhoneError) in .rename(to: try CleanTitle(title), at: date) }
    }

    package func remove(_ id: UInt32) { edit(id) { date in .remove(at: date) } }

    private func edit(_ id: UInt32, _ action: (Date) throws(PhoneError) -> ListEdit.Action) {
        change { store throws(PhoneError) in
            try store.applyHere(ListEdit(item: ItemIdentifier(rawValue: id), action: try action(date)))
        }
    }

    /// Replaces the past items that the phone offers. The most likely one comes first. New items must not use the IDs of past
    /// items.
    package func offer(_ past: [PhoneItem]) {
        change { store throws(PhoneError) in
            try store.offerHere(past.map { item throws(PhoneError) in try item.draft })
        }
    }

    /// Replaces the complication's entries on the watch's face. The phone stores each entry as if its owner had added a note.
    package func send(timeline entries: [ComplicationEntry]) {
        change { store throws(PhoneError) in
            try store.showHere(
                entries.map { entry throws(PhoneError) in
                    try NoteDraft(
                        entry.text.text, start: Date(localSeconds: entry.date),
                        end: entry.expires.map(Date.init(localSeconds:)), relevance: entry.relevance, push: .never)
                })
        }
    }

    /// Makes the watch show its stored complication entries at once.
    package func pushComplication() { change { store throws(PhoneError) in try store.pushHere() } }

    /// The items that are not checked off, in the order of the list.
    package var waiting: [PhoneItem] {
        use { store throws(PhoneError) in try store.openItems() }
            .map { PhoneItem(id: $0.id.rawValue, title: $0.title) }
    }

    package var waitingCount: Int { use { store throws(PhoneError) in try store.openCount() } }

    /// The check-offs of watches, in order of arrival, without repeated messages.
    package var checkOffs: [PhoneCheckOff] {
        use { store throws(PhoneError) in try store.arrivedCheckOffs() }
            .map { PhoneCheckOff(id: $0.item, sequence: $0.sequence) }
    }

    /// Whether a watch is connected, and phone and watch have received all messages of each other.
    package var isSynchronized: Bool { delivery(awaitingAbsent: false) == .arrived }
}

extension Date {
    /// The date of a local time on this phone, whose time zone is UTC.
    fileprivate init(localSeconds: UInt32) { self.init(timeIntervalSince1970: Double(localSeconds)) }
}
