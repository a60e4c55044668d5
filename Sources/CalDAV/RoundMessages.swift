import Foundation
import HostSystem

/// An item as the server has it.
package struct RemoteItem: Equatable, Sendable {
    /// Its canonical path on the server.
    package var path: String
    package var etag: String
    /// Nil for a text that is longer than the phone reads.
    package var text: String?
    /// Whether the server had this version before, by its ETag. If so, it may have been put back from a copy.
    package var isFormer: Bool

    /// - Throws: why the item is left alone.
    package func object() throws(CalendarObject.Unfit) -> CalendarObject {
        guard let text else { throw .tooLarge }
        return try CalendarObject(text)
    }
}

/// What the phone knows of an item on the server.
package struct KnownItem: Equatable, Sendable {
    /// Nil if the server is not known to have it.
    package var etag: String?
    /// Those before it.
    package var former: Set<String>
    package var coverage: Coverage

    /// Whether the token is of a time when the server had the item. One that came later and is deleted again is no change since
    /// that time: Xandikos says nothing of it.
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

/// A change of a row that the server does not have.
package struct PendingEdit: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The server has none of this name yet.
        case create(uid: String, added: Date)
        /// What the row has changed of a text that the server has, or had; nil for what it has not.
        case edit(of: String, title: String?, state: TodoState?, detail: [TodoDetail.Change])
        case delete
    }

    package var item: UInt32
    /// Its path on the server.
    package var path: String
    /// The version on the server that is changed; nil if it has none.
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

/// A change of what the phone keeps; each is one transaction.
package enum StoreChange: Equatable, Sendable {
    /// Merge these into the rows.
    case merge([RemoteItem])
    /// The server has deleted these: take their rows away.
    case remove([String])
    /// The server has lost these: they are to be put there again.
    case restore([String])
    /// This text is about to be sent.
    case sending(PendingEdit, text: String)
    /// The server has taken the text that was sent last, as this version; nil if it does not say which.
    case sent(path: String, etag: String?)
    /// The server has deleted it at our request.
    case deleted(path: String)
    /// All changes up to this token are merged; nil if the next round has to compare everything.
    case token(String?)
}

/// What a round asks its caller to do. The answer is a `RoundEvent`.
package enum RoundAction: Equatable, Sendable {
    /// Send it; answered by `response` or `failure`.
    case request(HTTPRequest)
    /// Store it; answered by `changed`.
    case change(StoreChange)
    /// Compare the rows with what the server has, all or one; answered by `edits`.
    case readEdits(only: UInt32?)
    /// Nothing more.
    case finish(RoundReport)
}

package enum RoundEvent: Sendable {
    case begin
    case response(HTTPResponse)
    case failure(CalDAVError)
    /// A change is stored; `older` is how many of the items were older versions of what is known.
    case changed(older: Int)
    case edits([PendingEdit])
}

/// An item that the server does not take or give, though it answers.
package struct RefusedItem: Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// A status of HTTP, and what the server says beside it.
        case status(Int, words: String)
        /// The server's answer does not have the item.
        case omitted
        /// The phone cannot read the text that its change is for.
        case unreadable
    }

    package var path: String
    /// That of the row; nil for an item whose text was asked for.
    package var title: String?
    package var reason: Reason

    /// Whether the server may take or give it later as it is.
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
    /// Why the server refuses the item that the request is about; nil for an answer that is about more than that.
    var refusal: RefusedItem.Reason? {
        switch status {
        case 200..<207, 401, 429, 502, 503, 504, 507: nil
        case _: .status(status, words: words)
        }
    }

    /// The texts of the body, and the names of its empty elements: the preconditions of RFC 4791 are such.
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
        /// Both sides have the same.
        case complete
        /// Some is left, for this reason.
        case left(CalDAVError)
        /// The collection is not there any more.
        case gone
    }

    package var received = 0
    package var sent = 0
    /// Rows that were taken away because the server has deleted them.
    package var removed = 0
    package var deleted = 0
    /// Items that the server lost and that are sent again.
    package var restored = 0
    package var refused: [RefusedItem] = []
    /// Items that are missing on the server. There are too many to remove them without asking the owner.
    package var missing = 0
    package var end = End.complete

    package init() {}
}

/// What to do if many items are missing on the server.
package enum MissingPolicy: String, Sendable {
    /// Nothing, until the owner has said.
    case ask
    /// Take their rows away.
    case accept
    /// Put them there again.
    case restore

    /// Whether the owner is asked before `missing` of `known` items are removed: five or more, and more than half.
    package static func isMany(_ missing: Int, of known: Int) -> Bool { missing >= 5 && missing * 2 > known }
}
