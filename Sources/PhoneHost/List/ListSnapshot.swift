/// The list as it is shown at one moment.
public struct ListSnapshot: Equatable, Sendable {
    /// The list, with what is not stored yet in it.
    public var contents: ListContents
    /// How many changes the store has not taken yet.
    public var waiting: Int
    /// What the owner has to be told.
    public var notice: ListNotice

    /// A snapshot of these.
    public init(contents: ListContents, waiting: Int = 0, notice: ListNotice = .none) {
        self.contents = contents
        self.waiting = waiting
        self.notice = notice
    }
}

/// What the owner of a list has to be told about it.
public enum ListNotice: Equatable, Sendable {
    /// Nothing.
    case none
    /// The store refused a change, which is therefore gone from the view again.
    case notStored(ListEdit, PhoneError)
    /// The store could not be read, so the view may be old.
    case notRead(PhoneError)
}
