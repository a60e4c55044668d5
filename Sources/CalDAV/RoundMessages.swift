import Foundation
import HostSystem

package struct RemoteItem: Equatable, Sendable {
    package var path: String
    package var etag: String
    /// The item's text; nil if it is longer than the phone accepts.
    package var text: String?
    /// Whether `etag` belongs to an earlier version of the item. If so, the server may have been restored from a backup.
    package var isFormer: Bool

    package func object() throws(CalendarObject.Unfit) -> CalendarObject {
        guard let text else { throw .tooLarge }
        return try CalendarObject(text)
    }
}

package struct KnownItem: Equatable, Sendable {
    /// The ETag on the server; nil if the phone does not know whether the server has the item.
    package var etag: String?
    package var former: Set<String>
    package var coverage: Coverage

    /// `token` if the phone knows that the server had the item when it issued the phone's sync token; otherwise `later`.
    ///
    /// Xandikos does not report the deletion of an item that was created after the token. The phone therefore treats a `later`
    /// item as missing if the server's changes do not name the item.
    package enum Coverage: String, Sendable {
        case token
        case later
    }

    package init(etag: String?, former: Set<String>, coverage: Coverage) {
        self.etag = etag
        self.former = former
        self.coverage = coverage
    }
}

package struct PendingEdit: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// Create an item with this UID. `added` is the time at which the row was added to the list.
        case create(uid: String, added: Date)
        /// Change an item. The first value is the item's iCalendar text in the last version that the phone and the server both
        /// had. A nil title or state means no change.
        case edit(of: String, title: String?, state: TodoState?, detail: [TodoDetail.Change])
        case delete
    }

    package var item: UInt32
    package var path: String
    /// The ETag of the version on the server that the edit replaces or deletes; nil if the phone knows of none.
    package var etag: String?
    package var kind: Kind
    package var row: RowValues

    package init(item: UInt32, path: String, etag: String?, kind: Kind, row: RowValues) {
        self.item = item
        self.path = path
        self.etag = etag
        self.kind = kind
        self.row = row
    }
}

/// A change that the caller stores in the phone's database, in one transaction.
package enum StoreChange: Equatable, Sendable {
    case merge([RemoteItem])
    /// Delete the rows of the items at these paths, because the server has deleted the items.
    case remove([String])
    /// Record that the phone must send the items at these paths again, because the server has lost them.
    case restore([String])
    case sending(PendingEdit, text: String)
    /// Record that the server has accepted the text that `sending` recorded. `etag` is the ETag of this text; nil if the
    /// server did not give it.
    case sent(path: String, etag: String?)
    case deleted(path: String)
    /// Record that all of the server's changes up to this sync token are merged. With nil, the next sync compares all items.
    case token(String?)
}

/// What the caller must do next. The caller then calls `CollectionRound.next(after:)` with the result.
package enum RoundAction: Equatable, Sendable {
    /// Send the request, and pass on `response` or `failure`.
    case request(HTTPRequest)
    /// Store the change, and pass on `changed`.
    case change(StoreChange)
    /// Find the edits that the server does not have yet, and pass on `edits`. If a row's number is given, find the edits of
    /// that row only.
    case readEdits(only: UInt32?)
    case finish(RoundReport)
}

package enum RoundEvent: Sendable {
    case begin
    case response(HTTPResponse)
    case failure(CalDAVError)
    /// The change is stored. The value counts the received items that are older than the phone's copy.
    case changed(older: Int)
    case edits([PendingEdit])
}

/// An item that the sync leaves out; `reason` says why.
package struct RefusedItem: Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case status(Int, words: String)
        case omitted
        /// The phone cannot send the item, because its text in the phone's database is not valid.
        case unreadable
    }

    package var path: String
    /// The row's title, if the phone was sending an edit of this row; nil if the phone was asking for the item's text.
    package var title: String?
    package var reason: Reason

    /// Whether the server may accept or give the same item later.
    package var isTemporary: Bool {
        switch reason {
        case .status(let status, _): status == 423 || status >= 500
        case .omitted: true
        case .unreadable: false
        }
    }
}

extension RefusedItem.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .status(let status, let words): "HTTP \(status)" + (words.isEmpty ? "" : ": \(words)")
        case .omitted: "the server's answer leaves it out"
        case .unreadable: "its text in the database is damaged"
        }
    }
}

extension HTTPResponse {
    /// Why the server refuses the item that the phone requested or sent. Nil for a success, and for a status that concerns the
    /// account or the whole server.
    var refusal: RefusedItem.Reason? {
        switch status {
        case 200..<207, 401, 429, 502, 503, 504, 507: nil
        case _: .status(status, words: words)
        }
    }

    /// The words in the body of an error, on one line: the texts in its XML, and the names of its empty elements. In RFC 4791,
    /// an empty element names the precondition that failed.
    private var words: String {
        let text = String(decoding: body.prefix(4_096), as: UTF8.self)
        let parts = text.matches(of: /<(?:[\w.-]+:)?([\w.-]+)[^<>]*(?:\/>|><\/[^<>]*>)|<[^<>]*>|([^<>]+)/)
        let words = parts.compactMap { $0.1 ?? $0.2 }.map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return SanitizedLine(words.filter { !$0.isEmpty }.joined(separator: ", "), limit: 200).text
    }
}

package struct RoundReport: Equatable, Sendable {
    package enum End: Equatable, Sendable {
        case complete
        /// Because of this error, the phone and the server have not exchanged all changes.
        case left(CalDAVError)
        case gone
    }

    package var received = 0
    package var sent = 0
    /// The number of rows that were deleted because the server had deleted their items.
    package var removed = 0
    package var deleted = 0
    /// The number of items that the server has lost. The phone sends them again.
    package var restored = 0
    package var refused: [RefusedItem] = []
    /// The number of items that are missing on the server, if the owner must decide about their rows; otherwise 0.
    package var missing = 0
    package var end = End.complete

    package init() {}
}

/// What the phone does if known items are missing on the server. If the server was evidently restored from a backup, the phone
/// sends these items again under every policy.
package enum MissingPolicy: String, Sendable {
    /// If many items are missing (see `isMany`), keep their rows until the owner decides. Otherwise delete the rows.
    case ask
    /// Delete the rows of the missing items, even if many items are missing.
    case accept
    /// Send the missing items to the server again.
    case restore

    /// True if the owner must decide before rows are deleted: at least five items, and over half of the known items, are
    /// missing.
    package static func isMany(_ missing: Int, of known: Int) -> Bool { missing >= 5 && missing * 2 > known }
}
