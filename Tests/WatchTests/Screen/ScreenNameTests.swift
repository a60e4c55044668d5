import Testing
import WatchLink

@testable import Watch

@Suite struct ScreenNameTests {
    @Test func `every name is read again, and no other`() {
        let names: [ScreenName] = [.face, .list, .status, .fullTitle, .pairing, .sheet, .past]
        for name in names {
            let read = ScreenName(name.text.utf8)
            #expect(read == name)
        }
        #expect(ScreenName(rawValue: UInt8(names.count)) == nil)
        for text in ["", "lists", "lis", "fullTitle"] {
            let bytes = Array(text.utf8)
            let name = ScreenName(bytes.span)
            #expect(name == nil)
        }
    }
}
