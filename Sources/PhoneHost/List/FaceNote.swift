import Foundation
import HostSystem
import ListFeed
import WatchLink

/// A note that the watch's face shows for a time.
package struct FaceNote: Equatable, Sendable, Encodable {
    /// Names it, from 1, without reuse.
    package var number: Int64
    /// On one line, of 1 to 48 bytes.
    package var text: String
    package var from: Date
    /// Nil for one that is shown until it is removed.
    package var until: Date?
    /// How much it matters, 0 to 255: above 100 it is shown in the place of the list.
    package var relevance: UInt8
    package var push: Push

    /// The relevance of a note that is given none: it is shown in the place of the list.
    package static var usualRelevance: UInt8 { ComplicationFeed.noteRelevance }

    /// Whether the watches are asked to show it at once.
    package enum Push: String, Sendable, Encodable {
        /// They will be, as soon as it is what the face shows.
        case wanted
        /// They were.
        case queued
        /// They show it when they show other changes.
        case never
    }
}

/// A note that is to be added.
package struct NoteDraft: Equatable, Sendable {
    package let text: String
    /// Nil for at once.
    package let start: Date?
    package let end: Date?
    package let relevance: UInt8
    package let push: FaceNote.Push

    /// A note with the text that is left of `raw` when it is cleaned as titles are.
    ///
    /// - Throws: `.note` where nothing is left, or more than a watch keeps.
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

/// Why a note cannot be kept, or removed.
public enum NoteFault: Error, Equatable, Sendable {
    /// Its text has no visible character.
    case empty
    /// Its text has this number of bytes, which is more than a watch keeps.
    case tooLong(bytes: Int)
    /// It would end before it begins, or at the same time.
    case endsBeforeStart
    /// It would be over already.
    case over
    /// It begins or ends after a watch's calendar, which ends in 2106.
    case beyondCalendar
    /// There are as many notes as are kept.
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

/// What the face shows from now on, beside the watch's own list, and the notes that are kept. The names are those of the JSON.
package struct FaceReport: Equatable, Sendable, Encodable {
    /// An entry of the time line.
    package struct Entry: Equatable, Sendable, Encodable {
        package var from: Date
        /// When another one follows, or the face shows the date again; nil for never.
        package var until: Date?
        package var relevance: UInt8
        package var text: String
        /// The number of open items; nil where the text is all.
        package var remaining: UInt32?
        /// The number of the note that it is; nil where it is none.
        package var note: Int64?
    }

    /// The entries that a watch is given now, in order.
    package var timeLine: [Entry]
    /// The notes that are not over, in the order of their numbers.
    package var notes: [FaceNote]
}
