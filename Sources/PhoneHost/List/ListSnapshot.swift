/// The list as it is shown at one moment.
public struct ListSnapshot: Equatable, Sendable {
    /// The list, with the changes that are not stored yet.
    public var contents: ListContents
    /// The number of changes that are not stored yet.
    public var waiting = 0
    /// A message for the owner.
    public var notice = ListNotice.none
}

/// A message for the owner of a list.
public enum ListNotice: Equatable, Sendable {
    /// Nothing.
    case none
    /// The store refused a change, which the view therefore does not show any more.
    case notStored(ListEdit, PhoneError)
    /// The store could not be read, so the view may be old.
    case notRead(PhoneError)
}
