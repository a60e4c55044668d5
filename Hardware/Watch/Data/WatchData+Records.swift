import WatchLink

// Records are short CBOR sequences. The comment of each function lists the items; 0 is the form of nil.
extension WatchData {
    /// identity, epoch, phone, former phone, issued to it, issued to the phone before, the origins of these two
    func writeIdentity(_ writer: inout CBORWriter) throws(CBORError) {
        switch identity {
        case .unknown:
            return
        case .known(let identity, let epoch):
            try writer.unsigned(identity)
            try writer.unsigned(epoch)
            try writer.unsigned(phones.own ?? 0)
            try writer.unsigned(phones.former ?? 0)
            try writer.unsigned(phones.formerEnd.sequence)
            try writer.unsigned(phones.resumed.sequence)
            try writer.unsigned(phones.formerEnd.origin ?? 0)
            try writer.unsigned(phones.resumed.origin ?? 0)
        }
    }

    /// acknowledged, peer epoch, queued applied, latest applied, more, last trip, queued expected, unread losses, origin of
    /// acknowledged, the names of values, whether items were checked off
    func writePositions(_ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(outbox.acknowledgedSequence)
        try writer.unsigned(positions.peerEpoch ?? 0)
        try writer.unsigned(positions.queuedApplied)
        try writer.unsigned(messages.kept(of: positions.latestApplied))
        try writer.unsigned(more)
        try writer.unsigned(lastTrip?.seconds ?? 0)
        try writer.unsigned(positions.queuedExpected)
        try writer.unsigned(UInt32(losses.bits))
        try writer.unsigned(outbox.acknowledgedOrigin ?? 0)
        try writer.unsigned(messages.valueNames)
        switch checked {
        case .none: try writer.unsigned(0 as UInt32)
        case .some: try writer.unsigned(1 as UInt32)
        }
    }

    /// A message from the phone: number, acknowledged up to, then the payload itself
    func writeHead(sequence: UInt32, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(sequence)
        try writer.unsigned(outbox.acknowledgedSequence)
    }

    /// name, cut
    @inline(never)
    func writeListName(_ writer: inout CBORWriter) throws(CBORError) {
        try writer.text(title.utf8)
        try writer.unsigned(UInt32(title.completeness.rawValue))
    }

    /// position, entry
    @inline(never)
    func writeTimelineEntry(_ index: Int, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(UInt32(truncatingIfNeeded: index))
        try timeline[index].encode(into: &writer)
    }
}
