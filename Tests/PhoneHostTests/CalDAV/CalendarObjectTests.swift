import Foundation
import Testing

@testable import CalDAV

@Suite struct CalendarObjectTests {
    /// A to-do as another program writes it, with a time zone, properties that Tapline does not know, folded lines and
    /// an alarm.
    static let foreign = """
        BEGIN:VCALENDAR\r
        PRODID:-//Other//EN\r
        X-WR-CALNAME;X-A="b:c;d":Fo\\,od\r
        BEGIN:VTIMEZONE\r
        TZID:Europe/Berlin\r
        END:VTIMEZONE\r
        BEGIN:VTODO\r
        UID:1\r
        SUMMARY;LANGUAGE=en:Mi\r
         lk\r
        CATEGORIES:Dairy,Cold\r
        DESCRIPTION:two\\nlines that are long enough to be folded by whoever wrote \r
         them\r
        X-APPLE-SORT-ORDER:7\r
        BEGIN:VALARM\r
        SUMMARY:Not the title\r
        END:VALARM\r
        END:VTODO\r
        END:VCALENDAR\r

        """

    @Test func `what is not edited stays byte for byte`() throws {
        let object = try CalendarObject(Self.foreign)
        #expect(object.text == Self.foreign)
        #expect(object.summary == "Milk")
        #expect(object.order == 7)
    }

    @Test func `a check-off, a new title and a reopening change their own properties alone`() throws {
        var object = try CalendarObject(Self.foreign)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        object.edit(title: "Oat; milk", state: .completed(at: now), detail: [], now: now)
        #expect(object.text.contains("SUMMARY;LANGUAGE=en:Oat\\; milk\r\n"))
        #expect(object.text.contains("STATUS:COMPLETED\r\nPERCENT-COMPLETE:100\r\nCOMPLETED:20270115T080000Z\r\n"))
        #expect(try CalendarObject(object.text).state == .completed(at: now))
        object.edit(title: "Milk", state: .open, detail: [], now: now)
        let own = ["SUMMARY", "STATUS", "PERCENT-COMPLETE", "COMPLETED", "LAST-MODIFIED", "DTSTAMP"]
        let kept = { (text: String) in
            text.replacing("\r\n ", with: "").split(separator: "\r\n").filter { line in
                !own.contains(String(line.prefix { $0 != ":" && $0 != ";" })) || line.contains("Not the title")
            }
        }
        #expect(kept(object.text) == kept(Self.foreign))
        #expect(try CalendarObject(object.text).state == .open)
    }

    @Test func `new properties stand in front of the alarms`() throws {
        let alarm = "BEGIN:VALARM\r\nSUMMARY:Not the title\r\nEND:VALARM\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        var object = try CalendarObject("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:1\r\n" + alarm)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        object.edit(title: "Milk", state: .completed(at: now), detail: [.amount("2 l")], now: now)
        let own = object.text.components(separatedBy: "BEGIN:VALARM")[0]
        for name in ["SUMMARY", "DESCRIPTION", "X-TAPLINE-AMOUNT", "STATUS", "COMPLETED", "LAST-MODIFIED", "DTSTAMP"] {
            #expect(own.contains("\r\n\(name):"), "\(name) is in \(object.text)")
        }
        #expect(object.text.hasSuffix(alarm))
        #expect(try CalendarObject(object.text) == object)
    }

    /// A restored server may send the text from before an edit. The phone recognizes that text by its earlier
    /// LAST-MODIFIED.
    @Test func `each edit is later than the one before, whatever the clock says`() throws {
        var object = try CalendarObject(Self.foreign)
        var before = Date(timeIntervalSince1970: 0)
        for now in [1_800_000_000, 1_800_000_000, 1_800_000_000.4, 1_700_000_000, 0].map(
            Date.init(timeIntervalSince1970:))
        {
            object.edit(title: "\(now)", state: nil, detail: [], now: now)
            let modified = try #require(try CalendarObject(object.text).lastModified)
            #expect(modified > before)
            before = modified
        }
    }

    @Test func `a long title is folded at 75 bytes, and read back`() throws {
        let title = String(repeating: "Käse, ", count: 2_000)
        let now = Date(timeIntervalSince1970: 0)
        let text = try CalendarObject(
            uid: "1", title: title, state: .open, detail: TodoDetail(), created: now, now: now
        ).text
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(try CalendarObject(text).summary == title)
    }

    @Test(arguments: [
        ("RRULE:FREQ=DAILY", CalendarObject.Unfit.recurring), ("no line", .invalid), (": 5", .invalid),
        ("END:VCALENDAR", .invalid), ("BEGIN:VALARM", .invalid),
    ])
    func `recurring and invalid objects are left alone`(line: String, reason: CalendarObject.Unfit) {
        #expect(throws: reason) {
            try CalendarObject("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\n\(line)\nEND:VTODO\nEND:VCALENDAR\n")
        }
    }

    @Test func `an event is no to-do, and a text that ends in the middle is invalid`() {
        #expect(throws: CalendarObject.Unfit.noTodo) {
            try CalendarObject("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR")
        }
        let half = String(Self.foreign.prefix(200))
        #expect(throws: CalendarObject.Unfit.invalid) { try CalendarObject(half) }
        #expect(throws: CalendarObject.Unfit.invalid) { try CalendarObject("") }
    }
}

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

    @Test(
        arguments: [
            ([#"DESCRIPTION:3 l\nskimmed"#, "X-TAPLINE-AMOUNT:2 l"], nil, "3 l\nskimmed"),
            ([#"DESCRIPTION: 2 l \nskimmed\n\norganic"#, "X-TAPLINE-AMOUNT:2 l"], "2 l", "skimmed\n\norganic"),
            (["X-TAPLINE-AMOUNT:2 l"], nil, ""), (["DESCRIPTION:", "X-TAPLINE-AMOUNT:"], nil, ""),
            ([#"DESCRIPTION:1\, 5"#, "X-TAPLINE-AMOUNT:1, 5"], "1, 5", ""),
        ] as [([String], String?, String)])
    func `an amount counts if it is the first line`(lines: [String], amount: String?, remark: String) throws {
        let text = (["BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:1"] + lines + ["END:VTODO", "END:VCALENDAR"])
        let object = try CalendarObject(text.joined(separator: "\r\n"))
        #expect(object.amount == amount && object.remark == remark)
    }
}
