/// A list with its counts.
package struct ListSummary: Equatable, Sendable {
    /// Unique among the lists.
    package var name: String
    package var open: Int
    package var checked: Int
    package var role: Role

    package enum Role: String, Equatable, Sendable {
        /// The watches show this list.
        case active
        /// The watches show another one.
        case other
    }
}
