/// A number of things in a sentence: `1 message`, `2 messages`, `1 entry`, `0 entries`.
package struct CountText: Equatable, Sendable, CustomStringConvertible {
    package let description: String

    /// - Parameters:
    ///   - count: how many there are.
    ///   - one: what one of them is called, with an adjective where it has one: `more line`.
    ///   - many: what others are called, where that is not `one` with an s.
    package init(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) {
        description = "\(count) \(CountText.name(count, one, many))"
    }

    /// The noun alone, in the number that fits `count`: for a line that writes the number in its own way.
    package static func name(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        count == 1 ? one : many ?? one + "s"
    }
}
