import CalDAV
import CommandSupport
import DeviceModel
import Foundation
import PhoneHost
import Synchronization
import TapLatency
import WatchLink

/// Calculates how long a phone still shows a row after its check-off. Compares a phone that waits for the calendar server with
/// a phone that waits only for its own database.
enum PhoneLab {
    /// The assumed time of a request to a slow server on the Internet.
    private static let serverTime = Microseconds.seconds(1)

    static func rows(_ cost: PhoneCost) async throws -> [PhoneRow] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tapline-lab-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try PhoneStore(path: folder.appending(path: "phone.sqlite").path)
        let place = try WebAddress("http://localhost/food/")
        var account = CalendarAccount(address: place.text, user: nil, certificate: nil, place: .collection(place))
        account.number = try await store.add(account)
        let server = AgreeingCalendar()
        let sync = AccountSync(store, account, over: server, password: nil)
        // The first sync creates the list, and the second sends its item.
        _ = try await sync.run()
        let item = try await store.add([ItemDraft(title: try CleanTitle("Milk"))], to: "Food").items[0]
        _ = try await sync.run()

        let before = server.requests
        _ = try await store.apply(ListEdit(item: item.id, action: .check(at: Date())), origin: .command)
        let stored = server.requests - before
        let report = try await sync.run()
        let synced = server.requests - before
        try store.close()
        guard report.lists.map(\.round.sent) == [1] else {
            throw CommandFailure(
                "the phone did not send the check-off: \(report.errors.first.map { "\($0)" } ?? "no list")")
        }
        func row(_ name: String, _ requests: Int) -> PhoneRow {
            PhoneRow(name: name, requests: requests, each: serverTime, commit: cost.transaction(rows: 0))
        }
        return [row("the row waits for the calendar", synced), row("the row goes at once", stored)]
    }
}

/// A calendar server with one collection. It stores nothing, and answers every request of a sync as if it had succeeded.
private final class AgreeingCalendar: HTTPTransport {
    private let count = Mutex(0)

    var requests: Int { count.withLock(\.self) }

    func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        switch request.method {
        case .propfind:
            return AgreeingCalendar.multistatus(
                """
                <d:response><d:href>/food/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/><c:calendar/>\
                </d:resourcetype><d:displayname>Food</d:displayname><d:sync-token>1</d:sync-token></d:prop>\
                <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
                """)
        case .report: return AgreeingCalendar.multistatus("<d:sync-token>1</d:sync-token>")
        case .put: return HTTPResponse(status: 201, headers: ["etag": "\"\(number)\""])
        case .get, .delete, .mkcalendar, .mkcol: return HTTPResponse(status: 405)
        }
    }

    private static func multistatus(_ body: String) -> HTTPResponse {
        let text =
            #"<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">"# + body + "</d:multistatus>"
        return HTTPResponse(status: 207, body: Array(text.utf8))
    }
}
