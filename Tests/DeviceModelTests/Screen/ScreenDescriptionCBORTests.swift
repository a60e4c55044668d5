import TestDoubles
import Testing
import WatchLink

@testable import DeviceModel

@Suite struct ScreenDescriptionCBORTests {
    private func described(by cbor: [UInt8]) throws(CBORError) -> ScreenDescription {
        try ScreenDescription(cbor: cbor.span)
    }

    @Test func `Every part of a description is decoded`() throws {
        var screen = ScreenDescription()
        screen.screen = .list
        screen.title = "Wocheneinkauf für Zürich"
        screen.remaining = 200
        screen.firstVisibleRow = 3
        screen.rows = [
            .init(id: 7, title: "Milk"), .init(id: 8, title: "Bread", state: .struck),
            .init(id: 4_000_000_000, title: "A very long", completeness: .cut),
        ]
        screen.more = 72
        screen.link = .reachable
        screen.waitingMessages = 2
        screen.isSynchronized = true
        screen.complication = .init(text: "Milk", remaining: 200)
        screen.time = "10:42"
        #expect(try described(by: screen.cbor) == screen)
        screen.complication = .init(text: "Trip just now")
        #expect(try described(by: screen.cbor) == screen)
    }

    @Test func `Rows of the middle of a list are found where the panel shows them`() throws {
        var screen = ScreenDescription()
        screen.screen = .list
        screen.remaining = 10
        screen.firstVisibleRow = 3
        screen.firstDescribedRow = 3
        screen.rows = [.init(id: 4, title: "Milk"), .init(id: 5, title: "Bread")]
        let decoded = try described(by: screen.cbor)
        #expect(decoded == screen)
        #expect(decoded.row(at: 1)?.title == "Bread")
        #expect(decoded.row(at: 2) == nil)
        #expect(decoded.lines.contains("3 above") && decoded.lines.contains("5 below"))
    }

    @Test func `Keys that are missing leave an empty part`() throws {
        #expect(try described(by: [0xA0]) == ScreenDescription())
    }

    @Test func `Keys and values that are not known are passed over`() throws {
        // {31: 1.5, "x": [1], -1: null, 2: 5}
        let cbor: [UInt8] = [0xA4, 0x18, 0x1F, 0xF9, 0x3E, 0x00, 0x61, 0x78, 0x81, 0x01, 0x20, 0xF6, 0x02, 0x05]
        #expect(try described(by: cbor).remaining == 5)
    }

    @Test func `A screen that the watch does not have is refused`() {
        let cbor: [UInt8] = [0xA1, 0x00, 0x63] + Array("map".utf8)
        #expect(throws: CBORError.malformed) {
            try described(by: cbor)
        }
    }

    @Test(arguments: [
        [], [0x80], [0xA1], [0xA1, 0x00, 0x01], [0xA1, 0x02, 0x61, 0x78], [0xA1, 0x04, 0x01],
        [0xA1, 0x04, 0x81, 0x81, 0x01], [0xA1, 0x06, 0x09], [0xA1, 0x09, 0x80],
        [0xA1, 0x02, 0x1B, 1, 0, 0, 0, 0, 0, 0, 0], [0xA1, 0x01, 0x61, 0xFF], [0xFF],
    ])
    func `What is malformed is refused`(cbor: [UInt8]) {
        #expect(throws: CBORError.self) { try described(by: cbor) }
    }
}
