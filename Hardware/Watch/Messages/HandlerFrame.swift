import WatchLink

/// A frame of a handler's names or files that is not a queued message.
enum HandlerFrame: BitwiseCopyable {
    case value(slot: Int, revision: UInt32)
    case question(slot: Int, InteractiveHeader)
    case reply(slot: Int, ReplyHeader)
    /// A reply to a question that no slot holds.
    case refusal(ReplyHeader)
    /// What the watch says of a file.
    case file(FileHeader)
}

extension HandlerMessages {
    /// Writes a frame, which fits the smallest datagram.
    @inline(never)
    func encode(_ frame: HandlerFrame, into writer: inout CBORWriter) throws(CBORError) {
        switch frame {
        case .value(let slot, let revision):
            try MessageHeader(.latest, sequence: revision, hasValue: slots[slot].count != 0).encode(into: &writer)
            try writer.text(slots[slot].name)
            try writer.raw(slotBytes(slot).span)
        case .question(let slot, let header):
            try header.encode(into: &writer)
            try writer.text(slots[slot].name)
            try writer.raw(slotBytes(slot).span)
        case .reply(let slot, let header):
            try header.encode(into: &writer)
            try writer.raw(slotBytes(slot).span)
        case .refusal(let header): try header.encode(into: &writer)
        case .file(let header): try header.encode(into: &writer)
        }
    }

    /// Writes the body of a queued message.
    @inline(never)
    func encodeOutgoing(_ cell: Int, into writer: inout CBORWriter) throws(CBORError) {
        try writer.text(slots[Int(outgoing[cell].slot)].name)
        try writer.raw(outgoingBytes(cell).span)
    }
}
