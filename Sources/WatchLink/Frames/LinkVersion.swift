/// The protocol versions that a side supports: every one from the oldest to the newest.
public struct LinkVersions: Equatable, Sendable, BitwiseCopyable {
    /// The newest supported version, 1 to 255.
    public var newest: UInt8
    /// The oldest supported version, 1 to `newest`.
    public var oldest: UInt8

    /// The versions from `oldest` to `newest`.
    public init(newest: UInt8, oldest: UInt8) {
        self.newest = newest
        self.oldest = oldest
    }

    /// What this implementation supports: version 1.
    public static var spoken: LinkVersions { LinkVersions(newest: 1, oldest: 1) }

    /// The version that two sides use with each other: the lower of their newest ones; nil where one of them no longer
    /// supports that.
    public func common(with peer: LinkVersions) -> UInt8? {
        let version = min(newest, peer.newest)
        return version >= oldest && version >= peer.oldest ? version : nil
    }
}
