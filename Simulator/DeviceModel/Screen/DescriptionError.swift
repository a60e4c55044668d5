/// Why bytes are no description of a screen.
package enum DescriptionError: Error, Equatable, Sendable {
    /// What is wrong with them, in a few words.
    case malformed(String)
}
