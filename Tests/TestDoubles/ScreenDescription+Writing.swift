import DeviceModel
import WatchLink

extension ScreenDescription {
    package var cbor: [UInt8] {
        get throws {
            var bytes = [UInt8](repeating: 0, count: 16_384)
            var span = bytes.mutableSpan
            let count = try ScreenDescription.write(self, into: &span)
            return Array(bytes.prefix(count))
        }
    }

    private static func write(_ screen: ScreenDescription, into buffer: inout MutableSpan<UInt8>) throws -> Int {
        var writer = CBORWriter(buffer._mutatingExtracting(0..<buffer.count))
        try writer.map(count: 12)
        try writer.unsigned(UInt32(0))
        try text(screen.screen.name, into: &writer)
        try writer.unsigned(UInt32(1))
        try text(screen.title, into: &writer)
        try number(2, screen.remaining, into: &writer)
        try number(3, UInt32(screen.firstVisibleRow), into: &writer)
        try writer.unsigned(UInt32(4))
        try rows(screen.rows, into: &writer)
        try number(5, screen.more, into: &writer)
        try number(6, screen.link == .down ? 0 : screen.link == .connecting ? 1 : 2, into: &writer)
        try number(7, screen.waitingMessages, into: &writer)
        try number(8, screen.isSynchronized ? 1 : 0, into: &writer)
        try writer.unsigned(UInt32(9))
        try writer.array(count: screen.complication.remaining == nil ? 1 : 2)
        try text(screen.complication.text, into: &writer)
        if let remaining = screen.complication.remaining { try writer.unsigned(remaining) }
        try writer.unsigned(UInt32(10))
        try text(screen.time, into: &writer)
        try number(11, UInt32(screen.firstDescribedRow), into: &writer)
        return writer.count
    }

    private static func rows(_ rows: [Row], into writer: inout CBORWriter) throws {
        try writer.array(count: rows.count)
        for row in rows {
            try writer.array(count: 4)
            try writer.unsigned(row.id)
            try text(row.title, into: &writer)
            try writer.unsigned(UInt32(row.state == .waiting ? 0 : 1))
            try writer.unsigned(UInt32(row.completeness == .whole ? 0 : 1))
        }
    }

    private static func number(_ key: UInt32, _ value: UInt32, into writer: inout CBORWriter) throws {
        try writer.unsigned(key)
        try writer.unsigned(value)
    }

    private static func text(_ text: String, into writer: inout CBORWriter) throws {
        let utf8 = Array(text.utf8)
        try writer.text(utf8.span)
    }
}

extension ItemTitle {
    /// The UTF-8 bytes of `text`, cut where they do not fit.
    package init(_ text: String) {
        self.init(utf8: Array(text.utf8).span)
    }
}
