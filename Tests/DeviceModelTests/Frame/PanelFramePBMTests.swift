import DeviceModelTesting
import Testing

@testable import DeviceModel

@Suite struct PanelFramePBMTests {
    @Test func `What is written is read again`() throws {
        let frame = patternedFrame()
        #expect(try PanelFrame(portableBitmap: frame.portableBitmap) == frame)
    }

    @Test func `A set bit of the file is black`() {
        let file = PanelFrame().portableBitmap
        #expect(file.starts(with: Array("P4\n144 168\n".utf8)))
        #expect(file.dropFirst(11).allSatisfy { $0 == 0xFF })
        #expect(file.count == 11 + 3_024)
    }

    @Test func `Comments and any white space may stand in the header`() throws {
        let frame = patternedFrame()
        let header = Array("P4 # a bitmap\n# of the panel\n\t144\r\n168 ".utf8)
        #expect(try PanelFrame(portableBitmap: header + frame.portableBitmap.dropFirst(11)) == frame)
    }

    @Test(arguments: [
        "", "P5\n144 168\n", "P4\n", "P4\n144\n", "P4\n144 x\n", "P4\n145 168\n", "P4\n144 168\n", "P4\n144 168",
        "P4\n-144 168\n", "P4\n99999999999999999999 1\n",
    ])
    func `Anything else is refused`(file: String) {
        #expect(throws: DeviceModelError.self) { try PanelFrame(portableBitmap: Array(file.utf8)) }
    }
}
