/// One of the lists, in short.
public struct ListSummary: Equatable, Sendable {
    /// The list's name, which no other list has.
    public var name: String
    /// How many of its items are still to be got.
    public var open: Int
    /// How many have been checked off.
    public var checked: Int
    /// Whether it is the one on the watches.
    public var role: Role

    /// What a list is to the watches.
    public enum Role: String, Equatable, Sendable {
        /// The watches show this list.
        case active
        /// The watches show another one.
        case other
    }
}
