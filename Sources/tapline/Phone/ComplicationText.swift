import Foundation
import PhoneHost

/// The time line and the notes as people read them.
struct ComplicationText {
    private let face: FaceReport

    init(_ face: FaceReport) {
        self.face = face
    }

    var text: String {
        guard !face.entries.isEmpty || !face.notes.isEmpty else { return "The face shows the date\n" }
        let entries = face.entries.map { entry in
            ComplicationText.row(entry.start, entry.end, entry.relevance, ComplicationText.content(entry))
        }
        let notes = face.notes.map { "note \($0.number): \(ComplicationText.line($0))" }
        let head = "from              until             relevance  text"
        return ([head] + entries + (notes.isEmpty ? [] : [""] + notes)).map { "\($0)\n" }.joined()
    }

    /// A note on one line.
    static func line(_ note: FaceNote) -> String {
        let end = note.end.map { "until \(minute($0))" } ?? "until it is removed"
        return "\"\(note.text)\", from \(minute(note.start)) \(end), relevance \(note.relevance)"
    }

    private static func row(_ start: Date, _ end: Date?, _ relevance: UInt8, _ text: String) -> String {
        let number = String(relevance)
        let until = end.map(minute) ?? "-" + String(repeating: " ", count: 15)
        return "\(minute(start))  \(until)  \(String(repeating: " ", count: 9 - number.count))\(number)  \(text)"
    }

    private static func content(_ entry: FaceReport.Entry) -> String {
        entry.remaining.map { "\($0) left, next \"\(entry.text)\"" } ?? entry.text
    }

    /// Such as `2026-11-20 18:05`.
    private static func minute(_ date: Date) -> String { String(PhoneReport.localTime(date).dropLast(3)) }
}

extension PhoneReport {
    /// The time line and the notes.
    struct Face: Encodable {
        var timeLine: [Entry]
        var notes: [Note]

        /// What is shown from a time on; without `until`, for good.
        struct Entry: Encodable {
            var from: Date
            var until: Date?
            var relevance: UInt8
            var text: String
            var remaining: UInt32?
            var note: Int64?
        }

        init(_ face: FaceReport) {
            timeLine = face.entries.map { entry in
                Entry(
                    from: entry.start, until: entry.end, relevance: entry.relevance, text: entry.text,
                    remaining: entry.remaining, note: entry.note)
            }
            notes = face.notes.map { Note($0) }
        }
    }

    /// A note for the face.
    struct Note: Encodable {
        var number: Int64
        var text: String
        var from: Date
        var until: Date?
        var relevance: UInt8
        var push: String

        init(_ note: FaceNote) {
            number = note.number
            text = note.text
            from = note.start
            until = note.end
            relevance = note.relevance
            push = note.push.rawValue
        }
    }
}
