/// The names that somebody listens to: one, or all that begin alike.
package enum NamePattern: Hashable, Sendable, Codable {
    case name(MessageName)
    /// The empty one for every name.
    case prefix(String)

    /// A name, or the beginning of names with an asterisk behind it.
    ///
    /// - Throws: `.invalidName` for what is neither.
    package init(_ text: String) throws(WormholeError) {
        if text.hasSuffix("*") {
            let prefix = String(text.dropLast())
            guard prefix.utf8.count <= MessageName.longest else { throw .invalidName(text) }
            self = .prefix(prefix)
        } else {
            self = .name(try MessageName(text))
        }
    }

    package func matches(_ name: MessageName) -> Bool {
        switch self {
        case .name(let one): name == one
        case .prefix(let prefix): name.hasPrefix(prefix)
        }
    }
}
