import WatchLink

extension WatchData {
    /// The rows check of PROTOCOL.md.
    var rowsCheck: UInt32 {
        var check = CRC32()
        check.update(bigEndian: more)
        return items.check ^ check.checksum
    }

    /// id, rank, cut, title
    @inline(never)
    func write(_ item: ListItem, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(item.id.rawValue)
        try writer.unsigned(item.rank)
        try writer.unsigned(UInt32(item.title.completeness.rawValue))
        try writer.text(item.title.utf8)
    }

    /// Check-off and addition: origin, sequence, id, time. Reload request: origin, sequence, token. In old records without origin. A handler's
    /// message: origin, sequence, acknowledged up to, name, then the value itself.
    func write(
        _ message: OutboxMessage, sequence: UInt32, origin: UInt32, _ writer: inout CBORWriter
    ) throws(CBORError) {
        try writer.unsigned(origin)
        try writer.unsigned(sequence)
        switch message {
        case .checkOff(let id, let time), .addition(let id, let time):
            try writer.unsigned(id.rawValue)
            try writer.unsigned(time?.seconds ?? 0)
        case .reload(let token):
            try writer.unsigned(token)
        case .handler(let cell):
            try writeOutgoing(cell: Int(cell), &writer)
        }
    }
}
