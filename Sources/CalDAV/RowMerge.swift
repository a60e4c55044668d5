import Foundation

/// What a list shows of an item: a row, or what a row was when it was last in sync.
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

/// A version of an item that both sides had: the server's text, and the row that it stands for.
package struct ItemVersion: Equatable, Sendable {
    package var text: String
    package var row: RowValues

    package init(text: String, row: RowValues) {
        self.text = text
        self.row = row
    }
}

/// Joins what the server has with the row, property by property, in the light of what both had before.
package struct RowMerge: Equatable, Sendable {
    /// What the row has to be.
    package var row: RowValues
    /// What the server's text stands for as a row: where it differs from `row`, that is still to be sent.
    package var remote: RowValues

    /// - Parameters:
    /// - base: what both had when they last agreed.
    /// - sent: what was sent since, without an answer.
    /// - title: the title that the server's text stands for as a row, and likewise the detail.
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
        // Our own request has arrived, though its answer has not: the row may be another since.
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
            // Opened here, and completed again elsewhere: an item that somebody wants is not lost.
            break
        case (.completed, .open): row.state = object.state
        case (.completed(let there), .completed(let here)):
            // Both have checked it off: the earlier time. The server has whole seconds.
            let isSame = there == CalendarTime.reading(CalendarTime.writing(here))
            if isSame { remote.state = row.state }
            if !isSame, !isChangedHere || there < here { row.state = object.state }
        case (.open, .open): break
        case (.open, .completed):
            if isChangedHere || RowMerge.isStale(object, base?.object) { break }
            row.state = .open
        }
    }

    /// Whether the server's open text is that of a program which did not know that the item was completed.
    private static func isStale(_ object: CalendarObject, _ base: CalendarObject?) -> Bool {
        guard let completed = base?.state.completedAt, let modified = object.lastModified else { return false }
        return modified < completed
    }
}
