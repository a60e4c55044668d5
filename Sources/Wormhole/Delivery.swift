import WatchLink

/// How a message is delivered: its encoding, its storage and its guarantee.
public enum Delivery: UInt8, Hashable, Sendable, CaseIterable, Codable {
    /// The newest value under a name replaces the older one. Both sides can read it by name at any time.
    case latest
    /// First in, first out; every message is applied exactly once.
    case queued
    /// Delivered at once, or the call throws. The peer can reply.
    case interactive
    /// Queued, and charged to the peer's daily budget of complication messages.
    case complication
    /// A file is sent in chunks, and verified by its SHA-256.
    case file

    /// Byte 0 of the frames of this delivery.
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
