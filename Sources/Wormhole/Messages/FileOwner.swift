/// Whom a file that is on its way belongs to.
package enum FileOwner: String, Codable, Sendable {
    /// Whoever sends it: it stays where it is.
    case sender
    /// The transfer alone, for which it was made: it is removed with the end of that, and so is its directory when that is empty.
    case transfer
}
