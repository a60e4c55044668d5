import TestSupport
import Testing
import WatchLink

struct MessageTests {
    private func payload(_ body: (inout CBORWriter) throws(CBORError) -> Void) throws -> [UInt8] {
        try written(65_536, body)
    }

    private func read<Message: LinkMessage>(_ type: Message.Type, _ bytes: [UInt8]) throws(CBORError) -> Message {
        var reader = CBORReader(bytes.span)
        return try Message(from: &reader)
    }

    private func again<Message: LinkMessage>(_ message: Message) throws -> Message {
        try read(Message.self, payload { (writer) throws(CBORError) in try message.encode(into: &writer) })
    }

    private func list(_ bytes: [UInt8]) throws -> (ListMessage, [ListChange]) {
        var reader = try ListMessageReader(CBORReader(bytes.span))
        var changes: [ListChange] = []
        while let change = reader.next() { changes.append(change) }
        return (reader.message, changes)
    }

    private func timeline(_ bytes: [UInt8]) throws -> [ComplicationEntry] {
        var reader = try ComplicationMessageReader(CBORReader(bytes.span))
        var entries: [ComplicationEntry] = []
        while let entry = reader.next() { entries.append(entry) }
        return entries
    }

    @Test func `a frame is header, name and payload`() throws {
        let check = CheckMessage(item: 7, localTime: nil, tap: 1)
        let frame = try payload { (w) throws(CBORError) in try check.encodeFrame(sequence: 3, into: &w) }
        #expect(hex(frame) == "11000000000365636865636ba3000701000201")
        let body = try MessageBody(frame.span, header: MessageHeader(frame.span))
        let isCheck = body.name.matches(CheckMessage.name)
        let isList = body.name.matches(ListMessage.name)
        #expect(isCheck && !isList)
        var reader = body.reader
        let read = try CheckMessage(from: &reader)
        #expect(read == check)
    }

    @Test func `every change comes back, in the bytes that it said it takes`() throws {
        var cut = ItemTitle("Butter")
        cut = ItemTitle(utf8: cut.utf8, completeness: .cut)
        let long = ItemTitle(String(repeating: "ä", count: 30))
        #expect(long.count == 48 && long.completeness == .cut)
        let changes: [ListChange] = [
            .clear, .remove(id: 0), .remove(id: .max), .put(id: 1, rank: .max, title: ItemTitle()),
            .put(id: .max, rank: .max, title: long), .put(id: 300, rank: 70_000, title: cut),
        ]
        for change in changes {
            let bytes = try payload { (w) throws(CBORError) in try change.encode(into: &w) }
            #expect(bytes.count == change.encodedSize)
            #expect(bytes.count <= 65)
            var reader = CBORReader(bytes.span)
            let read = try ListChange(from: &reader)
            #expect(read == change)
        }
        let message = ListMessage(more: 9, changeCount: UInt32(changes.count), reloadToken: .max, rows: .beyond)
        let bytes = try payload { (writer) throws(CBORError) in
            try message.encodeHead(into: &writer)
            for change in changes { try change.encode(into: &writer) }
            try message.encodeTail(into: &writer)
        }
        let (read, readChanges) = try list(bytes)
        #expect(read == message)
        #expect(readChanges == changes)
    }

    @Test func `what surrounds the changes is no more than said`() throws {
        let list = ListMessage(more: .max, changeCount: 65_535, reloadToken: .max, rows: .beyond)
        let around = try payload { (writer) throws(CBORError) in
            try writer.text(ListMessage.name)
            try list.encodeHead(into: &writer)
            try list.encodeTail(into: &writer)
        }
        #expect(around.count <= ListMessage.overhead)
        let head = try payload { (writer) throws(CBORError) in
            try writer.text(ComplicationMessage.name)
            try ComplicationMessage(entryCount: 16).encodeHead(into: &writer)
        }
        #expect(head.count <= ComplicationMessage.overhead)
    }

    @Test(arguments: [
        "a0", "a10005", "a1 01 00", "a1 01 82 8100", "a1 01 81 80", "a1 01 81 8103", "a1 01 81 8102",
        "a1 01 82 8100 8101",
        "a1 01 82 8100 85010101 61ff 00", "a1 01 82 8100 85010101 6161 02", "a1 01 81 8420 01 01 01",
        "a2 01 81 8100 01 81 8100", "a1 01 82 8100 821b0000000100000000 00", "a2 01 81 8100 02 6161",
        "a2 00 20 01 80",
        "a1 01 81 9f00ff", "a2 01 80 03 02", "a2 01 80 03 6161", "f6", "",
    ])
    func `a list message with anything wrong in it is refused whole`(_ text: String) throws {
        let payload = try #require(bytes(hex: text))
        #expect(throws: CBORError.self) { try list(payload) }
    }

    @Test func `what a newer phone adds is passed over`() throws {
        let text = "a5 00 03 01 83 830001a0 8701020361610040f6 840205 82f4f5 00 02 04 1819 820102 6161 01"
        let (message, changes) = try list(try #require(bytes(hex: text)))
        #expect(message == ListMessage(more: 3, changeCount: 3, reloadToken: 4))
        #expect(changes == [.clear, .put(id: 2, rank: 3, title: ItemTitle("a")), .remove(id: 5)])
        let check = try read(CheckMessage.self, [0xA2, 0x00, 0x07, 0x09, 0x80])
        #expect(check == CheckMessage(item: 7, localTime: nil, tap: nil))
    }

    @Test func `a time line comes back`() throws {
        let entries = (0..<16).map { index in
            ComplicationEntry(
                date: UInt32(index) * 3_600,
                content: index.isMultiple(of: 2) ? .items(remaining: UInt32(16 - index)) : .text,
                text: ItemTitle("Item \(index)"))
        }
        let bytes = try payload { (writer) throws(CBORError) in
            try ComplicationMessage(entryCount: 16).encodeHead(into: &writer)
            for entry in entries { try entry.encode(into: &writer) }
        }
        #expect(bytes.count == 3 + entries.reduce(0) { $0 + $1.encodedSize })
        #expect(try timeline(bytes) == entries)
    }

    @Test(arguments: [
        "a0", "a1 00 00", "a1 00 81 83000000", "a1 00 81 8400020060", "a1 00 82 8405000060 8404000060",
        "a1 00 91" + String(repeating: "8400000060", count: 17), "a1 00 81 84000000 4161", "a1 00 82 8400000060",
    ])
    func `a time line out of order, too long or misread is refused`(_ text: String) throws {
        let payload = try #require(bytes(hex: text))
        #expect(throws: CBORError.self) { try timeline(payload) }
    }

    @Test func `title and reload come back, and need their first key`() throws {
        let title = TitleMessage(listName: ItemTitle("Wocheneinkauf für Samstag"), lastTrip: 1_789_900_000)
        #expect(try again(title) == title)
        for reload in [ReloadMessage(token: 70_000), ReloadMessage(token: 7, extent: .everything)] {
            #expect(try again(reload) == reload)
        }
        let newer = try read(ReloadMessage.self, [0xA3, 0x00, 0x07, 0x01, 0x09, 0x02, 0x80])
        #expect(newer == ReloadMessage(token: 7), "an extent of a newer version is asked of an older phone")
        for empty: [UInt8] in [[0xA0], [0xA1, 0x01, 0x00]] {
            #expect(throws: CBORError.malformed) { try read(TitleMessage.self, empty) }
            #expect(throws: CBORError.malformed) { try read(ReloadMessage.self, empty) }
            #expect(throws: CBORError.malformed) { try read(CheckMessage.self, empty) }
        }
    }
}
