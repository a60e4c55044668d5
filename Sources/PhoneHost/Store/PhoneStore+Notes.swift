import Foundation
import GRDB
import Wormhole

extension PhoneStore {
    package func face() async throws(PhoneError) -> FaceReport {
        try await read { [dependencies] db in
            let now = dependencies.localSeconds(dependencies.now())
            let plan = try LatestFeed(db, FeedStore.PresentList(db), dependencies).plan(from: now)
            let shown = ComplicationTimeline(plan.entries).entries.count
            let entries = plan.steps.indices.prefix(shown).map { index in
                let step = plan.steps[index]
                let next = index + 1 < plan.steps.count ? plan.steps[index + 1].date : nil
                return FaceReport.Entry(step, until: [next, step.span.end].compactMap(\.self).min(), dependencies)
            }
            return FaceReport(timeLine: entries, notes: try NoteTable.present(db, at: dependencies.now()))
        }
    }

    package func add(_ draft: NoteDraft) async throws(PhoneError) -> FaceNote {
        try await write { [dependencies] db in
            let now = dependencies.now()
            let start = draft.start ?? now
            for time in [start, draft.end].compactMap(\.self) where dependencies.localSeconds(time) == .max {
                throw PhoneError.note(.beyondCalendar)
            }
            if let end = draft.end {
                guard end > now else { throw PhoneError.note(.over) }
                guard end.storedMilliseconds > start.storedMilliseconds else { throw PhoneError.note(.endsBeforeStart) }
            }
            try NoteTable.deleteEnded(db, at: now)
            let count = try Int.fetchOne(db, cached: "SELECT count(*) FROM note") ?? 0
            guard count < NoteTable.most else { throw PhoneError.note(.tooMany(most: NoteTable.most)) }
            try db.execute(
                cached: "INSERT INTO note (text, startsAt, endsAt, relevance, push) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    draft.text, start.storedMilliseconds, draft.end?.storedMilliseconds, draft.relevance,
                    draft.push.rawValue,
                ])
            return FaceNote(
                number: db.lastInsertedRowID, text: draft.text, from: start, until: draft.end,
                relevance: draft.relevance, push: draft.push)
        }
    }

    /// Removes the notes with these numbers; nil removes all. If one number is unknown, nothing is removed.
    package func removeNotes(_ numbers: [Int64]?) async throws(PhoneError) -> [FaceNote] {
        try await write { [dependencies] db in
            let present = try NoteTable.present(db, at: dependencies.now())
            let wanted = try (numbers ?? present.map(\.number)).map { number in
                guard let note = present.first(where: { $0.number == number }) else {
                    throw PhoneError.note(.unknown(number: number))
                }
                return note
            }
            for note in wanted { try db.execute(cached: "DELETE FROM note WHERE number = ?", arguments: [note.number]) }
            return wanted
        }
    }
}

extension FaceReport.Entry {
    fileprivate init(_ step: ComplicationPlan.Step, until end: UInt32?, _ dependencies: PhoneDependencies) {
        let remaining: UInt32? =
            switch step.span.content {
            case .items(let remaining): remaining
            case .text: nil
            }
        let note: Int64? =
            switch step.span.source {
            case .note(let number): number
            case .list, .lastTrip, .usualTrip: nil
            }
        self.init(
            from: dependencies.date(ofLocalSeconds: step.date), until: end.map(dependencies.date(ofLocalSeconds:)),
            relevance: step.span.relevance, text: step.span.text.text, remaining: remaining, note: note)
    }
}
