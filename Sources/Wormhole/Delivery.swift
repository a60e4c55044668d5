import WatchLink

/// How a message is delivered: its encoding, what is stored of it, and the guarantee.
public enum Delivery: UInt8, Hashable, Sendable, CaseIterable, Codable {
    /// The newest value under a name replaces the older; it can be read by name at any time on both sides.
    case latest
    /// First in, first out; every message is applied exactly once.
    case queued
    /// Delivered at once or an error, with an optional reply.
    case interactive
    /// Queued, and charged to the day's budget of the complication.
    case complication
    /// A file in chunks, verified by its hash.
    case file

    /// Byte 0 of the frames that carry it; see PROTOCOL.md of WatchLink.
    public var encoding: FrameKind {
        switch self {
        case .latest: .latest
        case .queued: .queued
        case .interactive: .interactive
        case .complication: .complication
        case .file: .file
        }
    }
}
