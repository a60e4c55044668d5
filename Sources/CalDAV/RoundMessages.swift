import Foundation
import HostSystem

package struct RemoteItem: Equatable, Sendable {
    /// The canonical path on the server.
    package var path: String
    package var etag: String
    /// nil if the text is longer than the phone reads.
    package var text: String?
    /// Whether the server had this version before, by its ETag. The server may then have been restored from a backup.
    package var isFormer: Bool

    /// - Throws: why the phone does not touch the item.
    package func object() throws(CalendarObject.Unfit) -> CalendarObject {
        guard let text else { throw .tooLarge }
        return try CalendarObject(text)
    }
}

/// What the phone knows about an item on the server.
package struct KnownItem: Equatable, Sendable {
    /// nil if the phone does not know that the server has it.
    package var etag: String?
    /// The item's earlier ETags.
    package var former: Set<String>
    package var coverage: Coverage

    /// Whether the server had the item at the time of the token. A later item that is deleted again is no change since that time,
    /// so Xandikos does not report it.
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

/// A change of a row that the server does not have yet.
package struct PendingEdit: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The server has no item of this path yet.
        case create(uid: String, added: Date)
        /// Changes a text that the server has, or had. A nil part is unchanged.
        case edit(of: String, title: String?, state: TodoState?, detail: [TodoDetail.Change])
        case delete
    }

    package var item: UInt32
    /// The path on the server.
    package var path: String
    /// The version that the change replaces; nil if the server has none.
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

/// A change of the phone's database. Each is one transaction.
package enum StoreChange: Equatable, Sendable {
    /// Merge these items into the rows.
    case merge([RemoteItem])
    /// Delete the rows of these paths, because the server has deleted the items.
    case remove([String])
    /// Plan to send the items of these paths again, because the server has lost them.
    case restore([String])
    /// Store the text, because it is sent next.
    case sending(PendingEdit, text: String)
    /// The server has accepted the last text as this version; nil if it does not name the version.
    case sent(path: String, etag: String?)
    /// The server has deleted the item at the phone's request.
    case deleted(path: String)
    /// All changes up to this token are merged. nil if the next round must compare everything.
    case token(String?)
}

/// What the caller of a round must do. The answer is a `RoundEvent`.
package enum RoundAction: Equatable, Sendable {
    /// Send the request; answered by `response` or `failure`.
    case request(HTTPRequest)
    /// Store the change; answered by `changed`.
    case change(StoreChange)
    /// Compare one row, or all rows for nil, with the server's items; answered by `edits`.
    case readEdits(only: UInt32?)
    case finish(RoundReport)
}

package enum RoundEvent: Sendable {
    case begin
    case response(HTTPResponse)
    case failure(CalDAVError)
    /// A change is stored. `older` is the number of items that were older versions than the known ones.
    case changed(older: Int)
    case edits([PendingEdit])
}

/// An item that the server refuses to accept or give, although it answers.
package struct RefusedItem: Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// An HTTP status with the server's description.
        case status(Int, words: String)
        case omitted
        /// The phone cannot read the text that it has to change.
        case unreadable
    }

    package var path: String
    /// The row's title; nil if the phone asked for the item's text.
    package var title: String?
    package var reason: Reason

    /// Whether the server may accept or give the unchanged item later.
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
    /// Why the server refuses this one item; nil if the answer concerns more than the item.
    var refusal: RefusedItem.Reason? {
        switch status {
        case 200..<207, 401, 429, 502, 503, 504, 507: nil
        case _: .status(status, words: words)
        }
    }

    /// The texts of the body, and the names of its empty elements, because RFC 4791 names preconditions by empty elements.
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
        /// Both sides are equal.
        case complete
        /// Some changes remain, because of this error.
        case left(CalDAVError)
        /// The collection no longer exists.
        case gone
    }

    package var received = 0
    package var sent = 0
    /// Rows that were deleted because the server deleted their items.
    package var removed = 0
    package var deleted = 0
    /// Items that the server lost, and that the phone sends again.
    package var restored = 0
    package var refused: [RefusedItem] = []
    /// Items that are missing on the server: too many to delete their rows before the owner agrees.
    package var missing = 0
    package var end = End.complete

    package init() {}
}

/// What to do if many items are missing on the server.
package enum MissingPolicy: String, Sendable {
    /// Wait for the owner's decision.
    case ask
    /// Delete their rows.
    case accept
    /// Send them to the server again.
    case restore

    /// Whether the owner must agree before `missing` of `known` items are removed: five or more, and more than half.
    package static func isMany(_ missing: Int, of known: Int) -> Bool { missing >= 5 && missing * 2 > known }
}
