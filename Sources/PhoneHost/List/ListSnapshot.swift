/// The list as it is shown at one moment.
public struct ListSnapshot: Equatable, Sendable {
    /// The list, with what is not stored yet in it.
    public var contents: ListContents
    /// How many changes the store has not taken yet.
    public var waiting = 0
    /// What to report to the owner.
    public var notice = ListNotice.none
}

/// What to report to the owner of a list.
public enum ListNotice: Equatable, Sendable {
    /// Nothing.
    case none
    /// The store refused a change, which is therefore gone from the view again.
    case notStored(ListEdit, PhoneError)
    /// The store could not be read, so the view may be old.
    case notRead(PhoneError)
}
