import Testing

@testable import TapLatency

@Suite struct PageStyleTests {
    @Test func `The style sheet stands in a page as it is`() {
        #expect(Escaped(text: PageStyle.sheet).text == PageStyle.sheet)
    }

    @Test func `Every rule is closed`() {
        #expect(PageStyle.sheet.filter { $0 == "{" }.count == PageStyle.sheet.filter { $0 == "}" }.count)
    }

    @Test(arguments: TimeKind.allCases)
    func `Every kind has a colour in light and in dark`(kind: TimeKind) {
        #expect(PageStyle.sheet.contains(".k-\(kind.rawValue) {"))
        #expect(PageStyle.sheet.split(separator: "--\(kind.rawValue): #").count == 3)
    }
}
