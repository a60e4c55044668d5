/// The active list of a database, whichever that is at the time of a call, for a view.
struct ActiveList: ListStoring {
    private let store: PhoneStore
    private let changed: @Sendable () async -> Void

    /// - Parameter changed: called after each change that was stored.
    init(_ store: PhoneStore, changed: @escaping @Sendable () async -> Void = {}) {
        self.store = store
        self.changed = changed
    }

    func contents() async throws(PhoneError) -> ListContents {
        try await store.contents()
    }

    func store(_ edit: ListEdit) async throws(PhoneError) -> EditOutcome {
        let outcome = try await store.apply(edit, origin: .phone)
        await changed()
        return outcome
    }
}
