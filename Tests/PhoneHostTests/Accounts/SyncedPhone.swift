import CalDAV
import Foundation
import TestDoubles
import TestSupport

@testable import PhoneHost

/// A phone that syncs its list "Food" with a calendar server in memory.
struct SyncedPhone {
    enum Extent {
        case collection
        /// All collections of the server. The account has no user name, and so needs no password.
        case home
    }

    let directory: TemporaryDirectory
    private(set) var store: PhoneStore
    let steps: SteppedDependencies
    let server: InMemoryCalendarServer
    let account: CalendarAccount

    init(_ server: InMemoryCalendarServer, seed: UInt64 = 1, _ extent: Extent = .collection) async throws {
        directory = TemporaryDirectory()
        steps = SteppedDependencies(seed: seed)
        self.server = server
        store = try PhoneStore(path: directory.file("phone.sqlite"), dependencies: steps.dependencies)
        let path =
            switch extent {
            case .collection: InMemoryCalendarServer.path
            case .home: InMemoryCalendarServer.home
            }
        let place = try WebAddress("http://localhost\(path)")
        var account =
            switch extent {
            case .collection:
                CalendarAccount(address: place.text, user: "ann", certificate: nil, place: .collection(place))
            case .home: CalendarAccount(address: place.text, user: nil, certificate: nil, place: .home(place))
            }
        account.number = try await store.add(account)
        self.account = account
    }

    mutating func copy() throws -> String {
        try store.close()
        let copy = directory.file("copy.sqlite")
        try FileManager.default.copyItem(atPath: store.path, toPath: copy)
        store = try PhoneStore(path: store.path, dependencies: steps.dependencies)
        return copy
    }

    mutating func putBack(_ copy: String) throws {
        try store.close()
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path + suffix) }
        try FileManager.default.copyItem(atPath: copy, toPath: store.path)
        store = try PhoneStore(path: store.path, dependencies: steps.dependencies)
    }

    @discardableResult
    func sync(_ policy: MissingPolicy = .ask) async throws -> AccountSync.Report {
        steps.advance(seconds: 10)
        return try await AccountSync(store, account, over: server, password: "secret").run(missing: policy)
    }

    func add(_ titles: String...) async throws {
        try await store.add(titles.map { ItemDraft(title: try CleanTitle($0)) }, to: "Food")
    }

    var rows: [StoredItem] {
        get async throws { try await store.contents(of: "Food").items }
    }

    var titles: [String] {
        get async throws { try await rows.map { $0.title + ($0.state.isOpen ? "" : " ✓") }.sorted() }
    }

    private func edit(_ title: String, _ action: (Date) throws -> ListEdit.Action) async throws {
        guard let row = try await rows.first(where: { $0.title == title }) else { return }
        try await store.apply(ListEdit(item: row.id, action: try action(steps.now)), origin: .command)
    }

    func check(_ title: String) async throws { try await edit(title) { .check(at: $0) } }
    func uncheck(_ title: String) async throws { try await edit(title) { .uncheck(at: $0) } }
    func remove(_ title: String) async throws { try await edit(title) { .remove(at: $0) } }
    func describe(_ title: String, _ detail: ItemDetail) async throws {
        try await edit(title) { .describe(detail, at: $0) }
    }

    func detail(_ title: String) async throws -> ItemDetail {
        try await rows.first { $0.title == title }?.detail ?? .none
    }

    func rename(_ title: String, to new: String) async throws {
        try await edit(title) { .rename(to: try CleanTitle(new), at: $0) }
    }
}

func todo(_ uid: String, _ title: String, _ lines: String...) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:\(uid)", "SUMMARY:\(title)"] + lines
        + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
}
