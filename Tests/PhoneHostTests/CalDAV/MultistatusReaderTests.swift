import Testing

@testable import CalDAV

@Suite struct MultistatusReaderTests {
    private func multistatus(_ text: [UInt8]) -> [UInt8] {
        Array(#"<?xml version="1.0"?><multistatus xmlns="DAV:"><response><propstat><prop><displayname>"#.utf8) + text
            + Array("</displayname></prop></propstat></response></multistatus>".utf8)
    }

    @Test(
        arguments: [
            (Array("Mi\u{0B}lk\u{0}".utf8), "Milk"), (Array("Mi\u{FFFF}lk".utf8), "Milk"),
            (Array("&#11;Mi&#x1f;lk&#xFFFF;&#xD800;&#99999999999;".utf8), "Milk"),
            (Array("&amp;#11; K&#xE4;se&#228;\u{1}".utf8), "&#11; Käseä"), ([0x4D, 0xE4, 0x6C, 0x6B], "M\u{FFFD}lk"),
        ] as [([UInt8], String)])
    func `what XML cannot carry keeps nothing else back`(text: [UInt8], name: String) throws {
        let (body, address) = (multistatus(text), try WebAddress("http://localhost"))
        #expect(try MultistatusReader.read(body, at: address).responses.first?.properties.displayName == name)
        #expect(throws: CalDAVError.halfAnswer) { try MultistatusReader.read(Array(body.dropLast(9)), at: address) }
    }

    @Test(
        arguments: [
            (
                #"<?xml version="1.0"?><d:error xmlns:d="DAV:"><c:max-resource-size xmlns:c="x"/></d:error>"#,
                "max-resource-size"
            ),
            (#"<error xmlns="DAV:"><valid-calendar-data></valid-calendar-data></error>"#, "valid-calendar-data"),
            (
                "<d:error><s:exception>Unsupported</s:exception>\n<s:message>No\n alarms</s:message></d:error>",
                "Unsupported, No alarms"
            ),
            ("no alarms\u{1B}", "no alarms\u{FFFD}"), ("", ""),
        ]) func `the words of a refusal are what the server says`(body: String, words: String)
    {
        let response = HTTPResponse(status: 403, body: Array(body.utf8))
        #expect(response.refusal == .status(403, words: words))
    }
}
