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

/// A check-off from a watch: the item's ID and the message's sequence number.
package struct PhoneCheckOff: Sendable, Equatable {
    package var id: UInt32
    package var sequence: UInt32
}

// A list for tests and measurements. The caller chooses the order and the IDs of its items.
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

    /// Changes or reads the database. Traps on an error, because a database in memory fails only if the caller passes
    /// an invalid name or item.
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

    /// Replaces the past items that the phone offers to watches. The first item of `past` comes first on the watch. New items
    /// of the list must not use the IDs of past items.
    package func offer(_ past: [PhoneItem]) {
        change { store throws(PhoneError) in
            try store.offerHere(past.map { item throws(PhoneError) in try item.draft })
        }
    }

    /// Replaces all entries of the complication. The watch shows the new entries when it next updates the face.
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

    /// Makes the watch show the newest complication entries at once, before its next update of the face.
    package func pushComplication() { change { store throws(PhoneError) in try store.pushHere() } }

    /// The items that are not checked off, in the order of the list.
    package var waiting: [PhoneItem] {
        use { store throws(PhoneError) in try store.openItems() }
            .map { PhoneItem(id: $0.id.rawValue, title: $0.title) }
    }

    package var waitingCount: Int { use { store throws(PhoneError) in try store.openCount() } }

    /// The check-offs that have arrived from watches, in order of arrival. They include check-offs without effect. A message
    /// that arrives twice is listed once.
    package var checkOffs: [PhoneCheckOff] {
        use { store throws(PhoneError) in try store.arrivedCheckOffs() }
            .map { PhoneCheckOff(id: $0.item, sequence: $0.sequence) }
    }

    /// True if a watch is connected, the watch has applied all messages of the phone, and the phone has applied all messages
    /// that waited on the watch when the watch connected.
    package var isSynchronized: Bool { delivery(awaitingAbsent: false) == .arrived }
}

extension Date {
    /// Makes a date from local time in seconds since 1970. The phone's time zone is UTC.
    fileprivate init(localSeconds: UInt32) { self.init(timeIntervalSince1970: Double(localSeconds)) }
}
