import TestDoubles
import Testing
import WatchLink

@testable import DeviceModel

@Suite struct ScreenDescriptionCBORTests {
    private func described(by cbor: [UInt8]) throws(CBORError) -> ScreenDescription {
        try ScreenDescription(cbor: cbor.span)
    }

    @Test func `Rows of the middle of a list are found where the panel shows them`() {
        var screen = ScreenDescription()
        screen.screen = .list
        screen.remaining = 10
        screen.firstVisibleRow = 3
        screen.firstDescribedRow = 3
        screen.rows = [.init(id: 4, title: "Milk"), .init(id: 5, title: "Bread")]
        #expect(screen.row(at: 1)?.title == "Bread")
        #expect(screen.row(at: 2) == nil)
        #expect(screen.lines.contains("3 above") && screen.lines.contains("5 below"))
    }

    @Test func `The rows of the past items are counted without the open items of the list`() {
        var screen = ScreenDescription()
        screen.screen = .past
        screen.remaining = 10
        screen.rows = [.init(id: 4, title: "Milk"), .init(id: 5, title: "Bread")]
        #expect(screen.rowCount == 2)
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
