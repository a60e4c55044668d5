import Foundation

/// The values of a row that the phone syncs with the server.
package struct RowValues: Equatable, Sendable {
    package var title: String
    package var state: TodoState
    package var detail: TodoDetail

    package init(title: String, state: TodoState, detail: TodoDetail) {
        self.title = title
        self.state = state
        self.detail = detail
    }
}

/// One version of an item, in both forms: the iCalendar text for the server, and the values of the phone's row.
package struct ItemVersion: Equatable, Sendable {
    package var text: String
    package var row: RowValues

    package init(text: String, row: RowValues) {
        self.text = text
        self.row = row
    }
}

/// Merges a row with the server's item. Each property comes from the side that has changed it since the last common version. If
/// both sides have changed the title, the amount or the note, the server's value wins.
package struct RowMerge: Equatable, Sendable {
    package var row: RowValues
    /// The server's item, in the form of a row. The phone sends the properties in which `row` differs from `remote`.
    package var remote: RowValues

    /// Ignores a version whose text cannot be parsed.
    ///
    /// - Parameters:
    ///   - base: the last version that both sides had.
    ///   - sent: a later version that the phone sent without getting an answer; nil if there is none.
    ///   - object: the server's item. `title` and `detail` are its title, amount and note in the form of a row.
    package init(
        row: RowValues, base: ItemVersion, sent: ItemVersion?, object: CalendarObject, title: String, detail: TodoDetail
    ) {
        let before = (try? CalendarObject(base.text)).map { Version(object: $0, row: base.row) }
        let request = sent.flatMap { sent in (try? CalendarObject(sent.text)).map { Version(object: $0, row: sent.row) }
        }
        self.row = row
        remote = row
        mergeTitle(before, request, object, title)
        merge(detail, before, request, object)
        mergeState(before, request, object)
    }

    private struct Version {
        let object: CalendarObject
        let row: RowValues
    }

    private mutating func mergeTitle(
        _ base: Version?, _ sent: Version?, _ object: CalendarObject, _ title: String
    ) {
        // The server still has the common version, or has the version that the phone sent. The row may have changed since.
        for version in [base, sent].compactMap(\.self) where version.object.summary == object.summary {
            remote.title = version.row.title
            return
        }
        remote.title = title
        row.title = title
    }

    private mutating func merge(
        _ detail: TodoDetail, _ base: Version?, _ sent: Version?, _ object: CalendarObject
    ) {
        let versions = [base, sent].compactMap(\.self)
        if let known = versions.first(where: { $0.object.amount == object.amount }) {
            remote.detail.amount = known.row.detail.amount
        } else {
            (remote.detail.amount, row.detail.amount) = (detail.amount, detail.amount)
        }
        if let known = versions.first(where: { $0.object.remark == object.remark }) {
            remote.detail.note = known.row.detail.note
        } else {
            (remote.detail.note, row.detail.note) = (detail.note, detail.note)
        }
    }

    private mutating func mergeState(_ base: Version?, _ sent: Version?, _ object: CalendarObject) {
        for version in [base, sent].compactMap(\.self) where version.object.state == object.state {
            remote.state = version.row.state
            return
        }
        remote.state = object.state
        let isChangedHere = row.state != base?.row.state
        switch (object.state, row.state) {
        case (.completed, .open) where isChangedHere && base?.object.state != .open:
            // The owner has opened a completed row again, and another device has given the item another time of completion. The
            // row stays open, so that no wanted item is lost.
            break
        case (.completed, .open): row.state = object.state
        case (.completed(let there), .completed(let here)):
            // Both sides have completed the item, and the earlier time wins. The server's time is in whole seconds.
            let isSame = there == CalendarTime.reading(CalendarTime.writing(here))
            if isSame { remote.state = row.state }
            if !isSame, !isChangedHere || there < here { row.state = object.state }
        case (.open, .open): break
        case (.open, .completed):
            if isChangedHere || RowMerge.isStale(object, base?.object) { break }
            row.state = .open
        }
    }

    /// Whether the server's open item is older than the completion in `base`. If so, the program that wrote the item did not
    /// know of the completion.
    private static func isStale(_ object: CalendarObject, _ base: CalendarObject?) -> Bool {
        guard let completed = base?.state.completedAt, let modified = object.lastModified else { return false }
        return modified < completed
    }
}
