/// How long the titles of a list are.
package enum TitleLength: String, Sendable, Codable, CaseIterable {
    /// Three letters.
    case short
    /// As in a shopping list.
    case usual
    /// Longer than a row has room for.
    case long
}
