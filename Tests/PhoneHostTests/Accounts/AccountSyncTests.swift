import CalDAV
import Foundation
import TestDoubles
import Testing

@testable import PhoneHost

@Suite struct AccountSyncTests {
    private let server = InMemoryCalendarServer()

    private func path(_ name: String) -> String { InMemoryCalendarServer.path + name }

    /// Returns a synced phone. The items in `there` were on the server before the sync, and the phone has added those
    /// in `here`.
    private func phone(_ there: String..., adding here: String...) async throws -> SyncedPhone {
        let phone = try await SyncedPhone(server)
        for (number, title) in zip(1..., there) { server.put(todo("\(number)", title), at: path("\(number).ics")) }
        for title in here { try await phone.add(title) }
        try await phone.sync()
        return phone
    }

    private func only() throws -> (path: String, object: CalendarObject) {
        let item = try #require(server.items.first)
        return (item.key, try CalendarObject(item.value.text))
    }

    @Test func `1: another version on the server is fetched, merged and sent again`() async throws {
        let ann = try await phone("Milk")
        try await ann.check("Milk")
        server.fail(.status(412), .put)
        let report = try await ann.sync()
        #expect(report.lists[0].round.end == .complete && report.lists[0].waiting == 0)
        #expect(try only().object.state != .open)
    }

    @Test func `1: the fourth refusal in a row leaves the edit for later`() async throws {
        let ann = try await phone("Milk")
        try await ann.check("Milk")
        for _ in 0..<3 { server.fail(.status(412), .put) }
        #expect(try await ann.sync().lists[0].waiting == 1)
        #expect(try await ann.sync().lists[0].waiting == 0)
        #expect(try only().object.state != .open)
    }

    @Test(arguments: [507, 503])
    func `2: a server without room or time keeps the queue`(status: Int) async throws {
        let ann = try await phone()
        try await ann.add("Milk")
        server.fail(.status(status), .put)
        let report = try await ann.sync()
        #expect(report.lists[0].waiting == 1 && report.errors.first?.isTemporary == true)
        try await ann.sync()
        #expect(try only().object.summary == "Milk")
    }

    @Test(arguments: [401, 403]) func `3: a refused account stops, and deletes nothing`(status: Int) async throws {
        let ann = try await phone("Milk")
        try await ann.add("Eggs")
        server.fail(.status(status))
        let report = try await ann.sync()
        #expect(report.errors.first?.isTemporary == false)
        #expect(try await ann.titles == ["Eggs", "Milk"] && server.items.count == 1)
    }

    @Test func `4: a redirection to the same host keeps the password, one elsewhere does not`() async throws {
        let ann = try await SyncedPhone(server)
        server.fail(.redirect(InMemoryCalendarServer.path))
        #expect(try await ann.sync().errors.isEmpty)
        #expect(server.requests[1].login != nil)
        server.fail(.redirect("http://127.0.0.1\(InMemoryCalendarServer.path)"))
        try await ann.sync()
        let foreign = server.requests.filter { $0.address.host == "127.0.0.1" }
        #expect(foreign.count == 1 && foreign.allSatisfy { $0.login == nil })
        for _ in 0..<6 { server.fail(.redirect(InMemoryCalendarServer.path)) }
        #expect(try await ann.sync().errors.first?.isTemporary == false)
        try await ann.add("Milk")
        server.fail(.redirect("http://127.0.0.1/"), .put)
        #expect(try await ann.sync().lists[0].waiting == 1)
    }

    @Test(arguments: [
        ("http://example.org/dav/", 1, "https"), ("/.well-known/caldav", 6, "in a circle"),
        ("https://example.org/dav/", 1, "add the account with that address"),
    ])
    func `4: a wrong way from the well-known address is not the only one, and is told if there is no other`(
        place: String, times: Int, advice: String
    ) async throws {
        let root = try WebAddress("http://localhost")
        func discover() async throws(CalDAVError) -> [RemoteCollection] {
            for _ in 0..<times { server.fail(.redirect(place), .propfind) }
            // A server at another address asks for a password. The phone does not send it there.
            if place.hasPrefix("https") { server.fail(.status(401), .propfind) }
            return try await AccountSync.discover(root, over: server, user: "ann", password: "secret").collections
        }
        var told = "nothing"
        do throws(CalDAVError) { _ = try await discover() } catch { told = "\(error)" }
        #expect(told.contains(advice))
        #expect(advice.hasPrefix("add") == told.contains("add the account with that address"))
        server.make("/", "All")
        #expect(try await discover().map(\.name) == ["All"])
        #expect(server.requests.allSatisfy { $0.login == nil || $0.address.host == "localhost" })
    }

    @Test(arguments: [HTTPRequest.Method.propfind, .report])
    func `5: half an answer is discarded`(method: HTTPRequest.Method) async throws {
        let ann = try await SyncedPhone(server)
        for number in 0..<20 { server.put(todo("\(number)", "Item \(number)"), at: path("\(number).ics")) }
        try await ann.sync()
        server.put(todo("20", "Item 20"), at: path("20.ics"))
        server.fail(.halfAnswer, method)
        #expect(try await ann.sync().errors == [.halfAnswer])
        #expect(try await ann.rows.count == 20)
        try await ann.sync()
        #expect(try await ann.rows.count == 21)
    }

    @Test func `6: what a restored server has lost is put there again`() async throws {
        let ann = try await phone(adding: "Milk")
        let copy = server.items
        try await ann.check("Milk")
        try await ann.add("Eggs")
        try await ann.sync()
        server.restore(copy)
        try await ann.sync()
        #expect(try await ann.titles == ["Eggs", "Milk ✓"])
        #expect(server.items.count == 2 && server.items.values.contains { $0.text.contains("STATUS:COMPLETED") })
    }

    @Test func `6: where many are missing the owner is asked`() async throws {
        let ann = try await phone(adding: "1", "2", "3", "4", "5", "6")
        server.restore([:])
        #expect(try await ann.sync().lists[0].round.missing == 6)
        #expect(try await ann.rows.count == 6)
        try await ann.sync(.restore)
        #expect(server.items.count == 6)
        server.restore([:])
        try await ann.sync(.accept)
        #expect(try await ann.rows.isEmpty)
    }

    @Test(arguments: [403, 500]) func `7: a refused token lists the versions once`(status: Int) async throws {
        let ann = try await phone("Milk", "Eggs")
        server.put(todo("3", "Tea"), at: path("3.ics"))
        server.delete(path("1.ics"))
        server.fail(.status(status), .report)
        #expect(try await ann.sync().errors.isEmpty)
        #expect(try await ann.titles == ["Eggs", "Tea"])
    }

    @Test func `8: a UID that is taken is replaced by a new one`() async throws {
        let ann = try await phone()
        try await ann.add("Milk")
        server.fail(.status(409), .put)
        #expect(try await ann.sync().lists[0].waiting == 0)
        #expect(try only().path.hasSuffix("-2.ics") && only().object.uid.hasSuffix("-2"))
    }

    @Test func `9: an edit by a clock that is years behind counts`() async throws {
        let ann = try await phone(adding: "Milk")
        let (path, object) = try only()
        server.put(todo(object.uid, "Oat milk", "LAST-MODIFIED:19990101T000000Z"), at: path)
        try await ann.sync()
        #expect(try await ann.titles == ["Oat milk"])
    }

    @Test func `10: deleted there while checked off here stays deleted, and the history keeps both`() async throws {
        let ann = try await phone("Milk")
        try await ann.check("Milk")
        server.delete(path("1.ics"))
        try await ann.sync()
        #expect(try await ann.rows.isEmpty && server.items.isEmpty)
        #expect(try await ann.store.history(of: "Food").map(\.event) == [.added, .checked, .removed])
    }

    @Test(arguments: [("20000101T000000Z", true), ("20400101T000000Z", false)])
    func `11: of two check-offs the earlier counts`(time: String, isTheirs: Bool) async throws {
        let ann = try await phone("Milk")
        try await ann.check("Milk")
        let mine = ann.steps.now
        server.put(todo("1", "Milk", "STATUS:COMPLETED", "COMPLETED:\(time)"), at: path("1.ics"))
        try await ann.sync()
        let theirs = Date(timeIntervalSince1970: 946_684_800)
        #expect(try only().object.state == .completed(at: isTheirs ? theirs : mine))
        #expect(try await ann.rows.first?.state == .checked(at: isTheirs ? theirs : mine))
    }

    @Test func `12: a list whose collection is gone is detached, and keeps its rows`() async throws {
        let ann = try await phone(adding: "Milk")
        server.removeCollection()
        #expect(try await ann.sync().lists.first?.round.end == .gone)
        #expect(try await ann.titles == ["Milk"])
        #expect(try await ann.store.calendars(of: ann.account.number).first?.state == .gone)
    }

    @Test func `an older copy that overwrites a check-off does not reopen the item`() async throws {
        let ann = try await SyncedPhone(server)
        server.put(todo("1", "Milk", "LAST-MODIFIED:20200101T000000Z"), at: path("1.ics"))
        try await ann.sync()
        try await ann.check("Milk")
        try await ann.sync()
        server.put(todo("1", "Milk", "X-STALE:1", "LAST-MODIFIED:20200101T000000Z"), at: path("1.ics"))
        try await ann.sync()
        #expect(try await ann.titles == ["Milk ✓"])
        #expect(try only().object.state != .open)
        // An item is open if it was reopened later, or by a program that does not write LAST-MODIFIED.
        server.put(todo("1", "Milk"), at: path("1.ics"))
        try await ann.sync()
        #expect(try await ann.titles == ["Milk"])
    }

    @Test func `recurring and invalid objects are left alone, and named with the reason`() async throws {
        let ann = try await SyncedPhone(server)
        let texts = [todo("1", "Daily", "RRULE:FREQ=DAILY"), todo("2", "Broken", "no line"), "BEGIN:VEVENT"]
        for (number, text) in texts.enumerated() { server.put(text, at: path("\(number).ics")) }
        server.put(todo("4", "Milk", "DUE;TZID=Europe/Berlin:20260101T100000"), at: path("4.ics"))
        let invalid = "its text breaks the rules of RFC 5545"
        let leftAlone = [
            ("2.ics", invalid), ("Broken", invalid), ("Daily", "it recurs, which a list cannot show"),
        ].map { UnsyncedItem(title: $0.0, fate: .leftAlone, reason: $0.1) }
        #expect(try await ann.sync().lists[0].unsynced == leftAlone)
        #expect(try await ann.store.calendars(of: ann.account.number).first?.unsynced == leftAlone)
        #expect(try await ann.titles == ["Milk"])
        try await ann.sync()
        #expect(server.items.count == 4 && server.items[path("0.ics")]?.text == texts[0])
    }

    @Test(arguments: [403, 415, 423, 500])
    func `an item that the server refuses is named with the server's words, and the others are sent`(
        status: Int
    ) async throws {
        let ann = try await phone("Milk", "Eggs", "Tea", "Rice")
        for title in ["Milk", "Eggs", "Rice"] { try await ann.check(title) }
        try await ann.remove("Tea")
        for name in ["1.ics", "3.ics"] { server.refuse(path(name), status, precondition) }
        let report = try await ann.sync()
        let refused = ["Milk", "Tea"].map {
            UnsyncedItem(title: $0, fate: .refused, reason: "HTTP \(status): valid-calendar-data")
        }
        #expect(report.errors.isEmpty && report.lists[0].round.sent == 2 && report.lists[0].waiting == 2)
        #expect(report.lists[0].unsynced == refused)
        #expect(report.lists[0].round.refused.allSatisfy { $0.isTemporary == [423, 500].contains(status) })
        #expect(try await ann.store.calendars(of: ann.account.number).first?.unsynced == refused)
        for name in ["1.ics", "3.ics"] { server.accept(path(name)) }
        #expect(try await ann.sync().lists[0].unsynced.isEmpty)
        #expect(server.items.count == 3 && server.items.values.allSatisfy { $0.text.contains("STATUS:COMPLETED") })
    }

    private let precondition =
        #"<d:error xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><c:valid-calendar-data/></d:error>"#

    /// With 403, the server refuses only this item. With 500, it refuses the whole request for the texts of several
    /// items.
    @Test(arguments: [403, 500])
    func `an item whose text the server does not give is named, and the others arrive`(status: Int) async throws {
        server.refuse(path("2.ics"), status, precondition)
        let ann = try await phone("Milk", "Eggs", "Tea")
        for _ in 0..<2 {
            let report = try await ann.sync()
            #expect(try await ann.titles == ["Milk", "Tea"] && report.errors.isEmpty)
            let refused = UnsyncedItem(
                title: "2.ics", fate: .refused, reason: "HTTP \(status): valid-calendar-data")
            #expect(report.lists[0].unsynced == [refused])
        }
        server.accept(path("2.ics"))
        #expect(try await ann.sync().lists[0].unsynced.isEmpty)
        #expect(try await ann.titles == ["Eggs", "Milk", "Tea"])
    }

    @Test func `an item with a control character is read without it`() async throws {
        let ann = try await phone("Milk", "Vertical\u{0B} tab")
        #expect(try await ann.titles == ["Milk", "Vertical tab"])
        try await ann.check("Vertical tab")
        #expect(try await ann.sync().errors.isEmpty)
        #expect(server.items[path("2.ics")]?.text.contains("STATUS:COMPLETED") == true)
    }

    @Test func `what is removed while the collection goes away is removed there when it comes back`() async throws {
        let (ann, bob) = (try await SyncedPhone(server), try await SyncedPhone(server, seed: 2))
        try await ann.add("Milk", "Eggs")
        try await ann.sync()
        try await bob.sync()
        try await ann.remove("Milk")
        // The collection is gone after the phone has looked at it.
        server.fail(.status(404), .delete)
        server.fail(.status(404), .report)
        try await ann.sync()
        try await ann.sync()
        try await bob.sync()
        #expect(try await ann.titles == ["Eggs"])
        #expect(try await bob.titles == ["Eggs"])
    }

    @Test func `an account that leaves keeps the rows, and one that comes back makes no doubles`() async throws {
        let ann = try await phone(adding: "Milk")
        try await ann.store.removeAccount(ann.account.number)
        #expect(try await ann.titles == ["Milk"])
        var again = ann.account
        again.number = try await ann.store.add(again)
        _ = try await AccountSync(ann.store, again, over: server, password: nil).run()
        #expect(try await ann.titles == ["Milk"] && server.items.count == 1)
    }
}
