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
        try await write { [dependencies] db in try NoteTable.add(db, draft, dependencies) }
    }

    /// Removes and returns the notes with these numbers; nil means all notes. If any number is unknown, throws an error
    /// and removes nothing.
    package func removeNotes(_ numbers: [Int64]?) async throws(PhoneError) -> [FaceNote] {
        try await write { [dependencies] db in try NoteTable.remove(db, numbers, at: dependencies.now()) }
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
