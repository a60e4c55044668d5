/// What the view of a list needs of a store behind it.
public protocol ListStoring: Sendable {
    /// The list as it is stored now.
    func contents() async throws(PhoneError) -> ListContents

    /// Makes a change durable; it is in the history as the phone's own.
    @discardableResult
    func store(_ edit: ListEdit) async throws(PhoneError) -> EditOutcome
}
