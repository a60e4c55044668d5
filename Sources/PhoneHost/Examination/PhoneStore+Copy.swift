extension PhoneStore {
    /// Opens a copy of a database that cannot be written, or whose directory cannot, and reads from it.
    ///
    /// SQLite opens a database of this mode only where it can write the log and its index beside it. The copy has what the log
    /// has, and is migrated where an earlier version wrote the database; the original stays as it is.
    ///
    /// - Throws: what `init(path:)` throws, about the original, and what `body` throws.
    package static func readingCopy<Value>(
        of path: String, _ body: (PhoneStore) async throws(PhoneError) -> Value
    ) async throws(PhoneError) -> Value {
        let copy = try DatabaseCopy(of: path)
        defer { copy.remove() }
        do throws(PhoneError) {
            let store = try PhoneStore(path: copy.path)
            let value = try await body(store)
            try store.close()
            return value
        } catch {
            throw error.aboutOriginal(at: path)
        }
    }
}

extension PhoneError {
    /// The error with the name of what was copied where it is about that, and not about the place of the copy.
    func aboutOriginal(at path: String) -> PhoneError {
        switch self {
        case .damaged: .damaged(path: path)
        case .damagedValue(_, let table, let column, let value):
            .damagedValue(path: path, table: table, column: column, value: value)
        case .newerDatabase: .newerDatabase(path: path)
        case .foreignLog: .foreignLog(path: path)
        case .logWithoutFile: .logWithoutFile(path: path)
        case .storage(_, let reason): .storage(path: path, reason: reason)
        case .readOnly, .locked, .diskFull, .databaseMoved, .databaseReplaced, .cannotOpen, .cannotCreateDirectory,
            .noSuchList, .noSuchItem, .noSuchStore, .noItemInOrder, .ambiguousItem, .tooManyItems,
            .noSuchWatch, .ambiguousWatch, .emptyTitle, .noIngredients, .note, .file, .account,
            .alreadyServed, .sockets:
            self
        }
    }
}
