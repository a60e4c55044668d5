import WatchLink

extension ProtocolFault {
    /// What a side did against the protocol, as the end of a line.
    package var words: String {
        switch self {
        case .malformedFrame: "a frame that cannot be read"
        case .unexpectedFrame: "a frame at the wrong time"
        case .unsupported: "a frame that the agreed version does not have"
        case .sequenceGap: "a message is missing before another"
        case .windowExceeded: "more messages than it may send without an acknowledgement"
        case .acknowledgedUnsent: "an acknowledgement of what was never sent"
        case .tooLong: "a frame that is too long"
        case .unaskedReply: "a reply to nothing that was asked, or a second one"
        case .sameRole: "it has the same role as this side"
        case _: "the unknown fault \(rawValue)"
        }
    }
}
