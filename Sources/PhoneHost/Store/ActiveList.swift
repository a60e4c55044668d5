/// The active list of a database as what is behind a view.
package struct ActiveList: ListStoring {
    private let store: PhoneStore

    /// The active list of `store`, whichever that is at the time.
    package init(_ store: PhoneStore) {
        self.store = store
    }

    /// The active list as it is stored now.
    package func contents() async throws(PhoneError) -> ListContents {
        try await store.contents()
    }

    /// Makes a change durable.
    package func store(_ edit: ListEdit) async throws(PhoneError) -> EditOutcome {
        try await store.apply(edit, origin: .phone)
    }
}
