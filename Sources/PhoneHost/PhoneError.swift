import HostSystem

/// An error of the phone: its database, lists, watches, accounts, files or sockets. `description` is one line that says
/// what happened and what to do.
public enum PhoneError: Error, Equatable, Sendable {
    /// The file is not a Tapline database, or it is damaged.
    case damaged(path: String)
    /// A cell of the database has a value that no version of Tapline writes. `value` is cut after 40 characters.
    case damagedValue(path: String, table: String, column: String, value: String)
    /// The database has the schema of another version of Tapline.
    case otherVersion(path: String)
    /// The process has no write access to the database or to its directory.
    case readOnly(path: String)
    /// Another program keeps the database locked. Tapline has waited five seconds for it.
    case locked(path: String)
    /// The disk of the database is full.
    case diskFull(path: String)
    /// The database cannot be opened. `reason` says why.
    case cannotOpen(path: String, reason: String)
    /// The directory of the database cannot be created. `reason` says why.
    case cannotCreateDirectory(path: String, reason: String)
    /// The database failed for a reason that has no other case. `path` is nil if unknown.
    case storage(path: String?, reason: String)
    /// No list has this name; `known` are the existing names.
    case noSuchList(name: String, known: [String])
    /// No shop has this name; `known` are the existing names.
    case noSuchShop(name: String, known: [String])
    /// The learned order of the shop has no item with this title.
    case noItemInOrder(query: String, shop: String)
    /// No item of the list matches the query.
    case noSuchItem(query: String, list: String)
    case itemCheckedOff(title: String, list: String)
    /// Several items match the query; `candidates` describes each of them.
    case ambiguousItem(query: String, candidates: [String])
    /// The list has no room for `count` more items. An empty list has room for at most `most` items.
    case tooManyItems(count: Int, list: String, most: Int)
    /// The query matches no watch. A query is a watch's name, or the first digits (at least four) of its identity.
    case noSuchWatch(query: String)
    /// Several watches match the query; `candidates` describes each of them.
    case ambiguousWatch(query: String, candidates: [String])
    /// The title has only characters that `CleanTitle` removes, such as spaces and control characters.
    case emptyTitle
    /// The text is a recipe, and Tapline finds no ingredients in it.
    case noIngredients
    /// A note for the watch's face cannot be stored or found.
    case note(NoteFault)
    /// An account on a calendar server cannot be used.
    case account(AccountFault)
    /// A file cannot be read or written. `reason` says why.
    case file(path: String, reason: String)
    /// Another process already serves the database or the sockets. `process` is its ID; nil if unknown.
    case alreadyServed(process: Int32?)
    /// The sockets cannot be created or served. `reason` says why.
    case sockets(reason: String)
}

extension PhoneError: CustomStringConvertible {
    /// One line: what happened, then what to do.
    public var description: String {
        switch self {
        case .damaged(let path):
            "\(path) is not a Tapline database or is damaged: move it away or restore a copy"
        case .damagedValue(let path, let table, let column, let value):
            "\(path) is damaged (table \(table), column \(column): \(value)): move it away or restore a copy"
        case .otherVersion(let path):
            "\(path) was written by another version of Tapline: use that version, or name another database with --database"
        case .readOnly(let path):
            "\(path) cannot be written: give yourself write permission on it and on its directory"
        case .locked(let path):
            "\(path) is locked by another program: close that program and try again"
        case .diskFull(let path):
            "no space is left for \(path): free some and try again"
        case .cannotOpen(let path, let reason):
            "\(path) cannot be opened (\(reason)): name another database with --database"
        case .cannotCreateDirectory(let path, let reason):
            "the directory \(path) cannot be created (\(reason)): create it, or name another database with --database"
        case .storage(let path, let reason):
            "\(path ?? "the database") could not be used (\(reason)): try again; if that fails, restore a copy"
        case .noSuchList(let name, let known):
            "there is no list \"\(name)\": the lists are \(known.map { "\"\($0)\"" }.joined(separator: ", "))"
        case .noSuchShop(let name, let known):
            "there is no shop \"\(name)\": the shops are \(known.map { "\"\($0)\"" }.joined(separator: ", "))"
        case .noItemInOrder(let query, let shop):
            "no item \"\(query)\" is in the order of \"\(shop)\": `tapline phone order` shows those that were checked off there"
        case .noSuchItem(let query, let list):
            "no item on \"\(list)\" matches \"\(query)\": `tapline phone list --all` shows the items"
        case .itemCheckedOff(let title, let list):
            "\"\(title)\" on \"\(list)\" is checked off: put it back with `tapline phone uncheck` before you move it"
        case .ambiguousItem(let query, let candidates):
            "\"\(query)\" could be \(candidates.joined(separator: " or ")): give the number or the id"
        case .tooManyItems(let count, let list, let most):
            "\"\(list)\" has no room for \(CountText(count, "more item")) (an empty list takes \(most) at once): nothing was added"
        case .noSuchWatch(let query):
            "no watch matches \"\(query)\": give its name, or four digits or more, as `tapline phone watches` shows them"
        case .ambiguousWatch(let query, let candidates):
            "\"\(query)\" could be \(candidates.joined(separator: " or ")): give the identity"
        case .emptyTitle:
            "a title needs at least one visible character"
        case .noIngredients:
            "the recipe has no lines below a heading \"Ingredients\": nothing was added; paste its ingredients alone"
        case .note(let fault):
            fault.description
        case .account(let fault):
            fault.description
        case .file(let path, let reason):
            "\(path): \(reason)"
        case .alreadyServed(let process?):
            "already served by process \(process): stop that one first, or use another --database and --sockets"
        case .alreadyServed(nil):
            "already served by another process: stop that one first, or use another --database and --sockets"
        case .sockets(let reason):
            reason
        }
    }
}
