/// What a host knows of its database's file.
enum FileCondition: Equatable {
    case sound
    /// It was moved or written over, as the error says.
    case lost(PhoneError)

    /// After a look that failed. Reasons that may pass, such as a lock, tell nothing.
    init(_ error: PhoneError, before: FileCondition) {
        switch error {
        case .databaseMoved, .databaseReplaced: self = .lost(error)
        case .damaged, .damagedValue, .newerDatabase, .foreignLog, .logWithoutFile, .storage, .readOnly, .locked,
            .diskFull, .cannotOpen, .cannotCreateDirectory, .noSuchList, .noSuchItem, .noSuchStore,
            .noItemInOrder, .ambiguousItem, .tooManyItems, .noSuchWatch, .ambiguousWatch, .emptyTitle, .noIngredients,
            .note,
            .file, .alreadyServed, .sockets, .account:
            self = before
        }
    }
}
