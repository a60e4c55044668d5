import Foundation
import Testing

@testable import CalDAV

/// Amount and note in the text of a to-do.
@Suite struct TodoDetailTests {
    private let now = Date(timeIntervalSince1970: 1_760_000_000)

    private func object(_ lines: String...) throws -> CalendarObject {
        try CalendarObject(
            (["BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:1", "SUMMARY:Milk"] + lines + ["END:VTODO", "END:VCALENDAR", ""])
                .joined(separator: "\r\n"))
    }

    @Test func `other programs show the amount, and the note behind it`() throws {
        var object = try object()
        object.edit(title: nil, state: nil, detail: [.amount("1,5 l"), .note("the green one; cold")], now: now)
        #expect(object.text.contains(#"DESCRIPTION:1\,5 l\nthe green one\; cold"# + "\r\n"))
        #expect(object.text.contains(#"X-TAPLINE-AMOUNT:1\,5 l"# + "\r\n"))
        #expect(object.amount == "1,5 l" && object.remark == "the green one; cold")
        object.describe([.amount(nil)])
        #expect(!object.text.contains("X-TAPLINE") && object.remark == "the green one; cold")
        object.describe([.note(nil)])
        #expect(!object.text.contains("DESCRIPTION"))
    }

    @Test func `what others have written is the note, and stays as it came where the amount changes`() throws {
        let long = #"DESCRIPTION;LANGUAGE=en:Not the UHT one.\n\n- farm shop\n- or the\, well\, market"#
        var object = try object(long)
        #expect(object.amount == nil && object.remark.hasPrefix("Not the UHT one.\n\n- farm"))
        let before = object.text
        object.edit(title: "Oat milk", state: .completed(at: now), detail: [], now: now)
        #expect(object.text.contains(long + "\r\n"))
        object.describe([.amount("2 l")])
        #expect(object.amount == "2 l" && object.remark == "Not the UHT one.\n\n- farm shop\n- or the, well, market")
        object.describe([.amount(nil)])
        #expect(try CalendarObject(before).remark == object.remark)
    }

    @Test(
        arguments: [
            ([#"DESCRIPTION:3 l\nskimmed"#, "X-TAPLINE-AMOUNT:2 l"], nil, "3 l\nskimmed"),
            ([#"DESCRIPTION: 2 l \nskimmed\n\norganic"#, "X-TAPLINE-AMOUNT:2 l"], "2 l", "skimmed\n\norganic"),
            (["X-TAPLINE-AMOUNT:2 l"], nil, ""), (["DESCRIPTION:", "X-TAPLINE-AMOUNT:"], nil, ""),
            ([#"DESCRIPTION:1\, 5"#, "X-TAPLINE-AMOUNT:1, 5"], "1, 5", ""),
        ] as [([String], String?, String)])
    func `an amount counts where it is the first line`(lines: [String], amount: String?, remark: String) throws {
        let text = (["BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:1"] + lines + ["END:VTODO", "END:VCALENDAR"])
        let object = try CalendarObject(text.joined(separator: "\r\n"))
        #expect(object.amount == amount && object.remark == remark)
    }
}
