/// What the view of a list needs of a store behind it.
public protocol ListStoring: Sendable {
    /// The list as it is stored now.
    func contents() async throws(PhoneError) -> ListContents

    /// Makes a change durable; it is in the history as the phone's own.
    @discardableResult
    func store(_ edit: ListEdit) async throws(PhoneError) -> EditOutcome
}

/// The active list of a database as what is behind a view.
public struct ActiveList: ListStoring {
    private let store: PhoneStore

    /// The active list of `store`, whichever that is at the time.
    public init(_ store: PhoneStore) {
        self.store = store
    }

    /// The active list as it is stored now.
    public func contents() async throws(PhoneError) -> ListContents {
        try await store.contents()
    }

    /// Makes a change durable.
    public func store(_ edit: ListEdit) async throws(PhoneError) -> EditOutcome {
        try await store.apply(edit, origin: .phone)
    }
}
