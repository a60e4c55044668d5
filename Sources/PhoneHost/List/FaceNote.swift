import Foundation
import HostSystem
import ListFeed
import WatchLink

/// A note that the watch's face shows for a time.
package struct FaceNote: Equatable, Sendable, Encodable {
    /// Unique ID, starting at 1, never reused.
    package var number: Int64
    /// One line of 1 to 48 bytes.
    package var text: String
    package var from: Date
    /// nil if the watches show the note until it is removed.
    package var until: Date?
    /// 0 to 255. A note above 100 replaces the list on the face.
    package var relevance: UInt8
    package var push: Push

    /// The default relevance. The note replaces the list.
    package static var usualRelevance: UInt8 { ComplicationFeed.noteRelevance }

    /// Whether the phone asks the watches to show the note at once.
    package enum Push: String, Sendable, Encodable {
        /// The phone will ask when the note becomes the one that the face shows.
        case wanted
        /// The phone has asked.
        case queued
        /// The watches show the note when they show other changes.
        case never
    }
}

package struct NoteDraft: Equatable, Sendable {
    package let text: String
    /// Nil if the note begins at once.
    package let start: Date?
    package let end: Date?
    package let relevance: UInt8
    package let push: FaceNote.Push

    /// Cleans `raw` like a title.
    ///
    /// - Throws: `.note` if no text is left, or more than a watch stores.
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
    /// The text has this number of bytes, more than a watch stores.
    case tooLong(bytes: Int)
    /// The note would not end after its start.
    case endsBeforeStart
    /// The note would already be over.
    case over
    /// The note begins or ends after 2106, when a watch's calendar ends.
    case beyondCalendar
    /// The phone already stores the most notes.
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

/// What the face shows from now on, besides the watch's own list, and the stored notes. The names are those of the JSON.
package struct FaceReport: Equatable, Sendable, Encodable {
    package struct Entry: Equatable, Sendable, Encodable {
        package var from: Date
        /// When the next entry replaces it, or the face shows the date again; nil for never.
        package var until: Date?
        package var relevance: UInt8
        package var text: String
        /// The number of open items; nil if the entry shows only text.
        package var remaining: UInt32?
        /// The number of the entry's note; nil if the entry is not a note.
        package var note: Int64?
    }

    /// The entries that a watch gets now, in order.
    package var timeLine: [Entry]
    /// The notes that are not over, in the order of their numbers.
    package var notes: [FaceNote]
}
