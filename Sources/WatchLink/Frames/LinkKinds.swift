/// The kinds of message frames that a side takes besides latest and queued ones, as its hello says.
///
/// It is a number with names and not a set of the standard library, which a device without a heap cannot write as a literal.
public struct LinkKinds: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The bits on the wire; those without a name are of a later version.
    public let rawValue: UInt8

    /// The kinds of these bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No further ones.
    public static var none: LinkKinds { LinkKinds(rawValue: 0) }
    /// Interactive messages, and the replies to them.
    public static var interactive: LinkKinds { LinkKinds(rawValue: 1) }
    /// Files: the offers of the peer, and the answers to our own.
    public static var files: LinkKinds { LinkKinds(rawValue: 2) }
    /// Queued messages of their own kind, which are charged to the budget of complication pushes.
    public static var complications: LinkKinds { LinkKinds(rawValue: 4) }
    /// Every kind that has a name here.
    public static var all: LinkKinds { LinkKinds(rawValue: 7) }

    /// These and others.
    package func and(_ others: LinkKinds) -> LinkKinds { LinkKinds(rawValue: rawValue | others.rawValue) }

    /// Whether all of `kinds` are among them.
    public func include(_ kinds: LinkKinds) -> Bool { rawValue & kinds.rawValue == kinds.rawValue }
}
