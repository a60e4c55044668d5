import Foundation
import HostSystem
import WatchLink

/// A short text that the owner puts on the watch's face for some time.
package struct FaceNote: Equatable, Sendable, Encodable {
    /// Unique ID, starting at 1, never reused.
    package var number: Int64
    /// One line, 1 to 48 bytes long.
    package var text: String
    package var from: Date
    /// When the note ends; nil if it stays until it is removed.
    package var until: Date?
    /// How important the note is, from 0 to 255. Above 100, the note replaces the list on the face.
    package var relevance: UInt8
    package var push: Push

    /// The relevance of a note for which the owner gives none. It is above 100, so the note replaces the list.
    package static var usualRelevance: UInt8 { ComplicationFeed.noteRelevance }

    package enum Push: String, Sendable, Encodable {
        /// The phone will push the note when it becomes the current entry. Each watch then shows the note at once.
        case wanted
        case queued
        /// The phone does not push the note. A connected watch shows it within ten minutes.
        case never
    }
}

package struct NoteDraft: Equatable, Sendable {
    package let text: String
    /// When the note begins; nil if it begins when the phone stores it.
    package let start: Date?
    package let end: Date?
    package let relevance: UInt8
    package let push: FaceNote.Push

    /// Cleans `raw` like an item's title. Throws `.note(.empty)` if no text is left, and `.note(.tooLong)` if more than 48
    /// bytes are left.
    package init(
        _ raw: String, start: Date? = nil, end: Date? = nil, relevance: UInt8, push: FaceNote.Push = .wanted
    ) throws(PhoneError) {
        guard let clean = try? CleanTitle(raw) else { throw .note(.empty) }
        let bytes = clean.text.utf8.count
        guard bytes <= ItemTitle.capacity else { throw .note(.tooLong(bytes: bytes)) }
        text = clean.text
        self.start = start
        self.end = end
        self.relevance = relevance
        self.push = push
    }
}

/// Why a note cannot be stored or removed.
public enum NoteFault: Error, Equatable, Sendable {
    /// The text has no visible character.
    case empty
    /// The text has this number of bytes, which is more than a watch stores.
    case tooLong(bytes: Int)
    /// The note would end before it begins, or at the same time.
    case endsBeforeStart
    /// The note would already be over.
    case over
    /// The note begins or ends after the end of a watch's calendar, in February 2106.
    case beyondCalendar
    /// The phone already stores the maximum number of notes, which is `most`.
    case tooMany(most: Int)
    /// No note has this number.
    case unknown(number: Int64)
}

extension NoteFault: CustomStringConvertible {
    /// One line: what is wrong, then what to do.
    public var description: String {
        switch self {
        case .empty: "a note needs at least one visible character"
        case .tooLong(let bytes):
            "the note has \(CountText(bytes, "byte")), and a watch shows \(ItemTitle.capacity): shorten it"
        case .endsBeforeStart: "the note would end before it begins: give a later --until, or an earlier --at"
        case .over: "the note would be over already: give an --until in the future"
        case .beyondCalendar: "a watch's calendar ends in 2106: give an earlier time"
        case .tooMany(let most):
            "there are \(most) notes, the most that are kept: remove some with `tapline phone complication remove`"
        case .unknown(let number):
            "there is no note \(number): `tapline phone complication` shows the notes and their numbers"
        }
    }
}

/// What the face shows from now on, and the stored notes. The property names are the keys of the JSON output.
package struct FaceReport: Equatable, Sendable, Encodable {
    package struct Entry: Equatable, Sendable, Encodable {
        package var from: Date
        package var until: Date?
        package var relevance: UInt8
        package var text: String
        /// The number of open items that the entry shows; nil if it shows only text.
        package var remaining: UInt32?
        package var note: Int64?
    }

    package var timeLine: [Entry]
    package var notes: [FaceNote]
}
