import Testing

@testable import CalDAV
@testable import PhoneHost
@testable import tapline

@Suite struct SyncTextTests {
    private func report(_ change: (inout AccountSync.Report.List) -> Void) throws -> AccountSync.Report {
        var list = AccountSync.Report.List(name: "Food", round: RoundReport())
        change(&list)
        let place = try WebAddress("http://localhost/")
        let account = CalendarAccount(address: place.text, user: nil, certificate: nil, place: .home(place))
        return AccountSync.Report(account: account, lists: [list])
    }

    @Test func `a list without a difference is in step`() throws {
        let report = try report { _ in }
        #expect(SyncText.lines(report) == ["Food: in step"] && SyncText.items(report).isEmpty)
        #expect(SyncText.failure([report]) == nil)
    }

    @Test(arguments: [
        (RoundReport.End.left(.halfAnswer), 0, 75), (.left(.tooLarge(megabytes: 32)), 0, 1), (.complete, 6, 1),
    ])
    func `a list with a failure is not in step, and the status says so`(
        end: RoundReport.End, missing: Int, status: Int32
    ) throws {
        let report = try report {
            $0.round.end = end
            $0.round.missing = missing
        }
        #expect(SyncText.lines(report).count == 1 && !SyncText.lines(report)[0].contains("in step"))
        #expect(SyncText.failure([report])?.rawValue == status)
    }

    @Test(arguments: [(415, Int32(1)), (423, 75)])
    func `items that one side does not take are counted and named`(code: Int, status: Int32) throws {
        let reason = RefusedItem.Reason.status(code, words: "no alarms")
        let report = try report {
            $0.round.refused = [RefusedItem(path: "/1", title: "Milk", reason: reason)]
            $0.unsynced = [
                UnsyncedItem(title: "Milk", fate: .refused, reason: "\(reason)"),
                UnsyncedItem(title: "Daily", fate: .leftAlone, reason: "it recurs"),
            ]
        }
        #expect(SyncText.lines(report) == ["Food: 1 left alone, 1 refused"])
        let advice = "change it, or ask the server's administrator"
        #expect(
            SyncText.items(report) == [
                "Food: \"Milk\" is refused (HTTP \(code): no alarms): \(advice)",
                "Food: \"Daily\" is left alone: it recurs",
            ])
        #expect(SyncText.failure([report])?.rawValue == status)
    }
}
