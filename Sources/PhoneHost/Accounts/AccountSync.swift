import CalDAV
import Foundation
import Synchronization

/// Syncs one account's lists with the account's server. It sends the requests that `CalDAV`'s state machines make, and
/// stores the changes that they find.
package struct AccountSync: Sendable {
    package struct Report: Sendable {
        package struct List: Sendable {
            package var name: String
            package var round: RoundReport
            /// The number of items that were changed on the phone, and whose changes the server still lacks after the
            /// sync.
            package var waiting = 0
            package var unsynced: [UnsyncedItem] = []

            /// The error that ended this list's sync early. Nil if the sync is complete, or if the server no longer has
            /// the list's collection.
            package var error: CalDAVError? {
                switch round.end {
                case .left(let error): error
                case .complete, .gone: nil
                }
            }
        }

        package var account: CalendarAccount
        package var lists: [List] = []
        /// The error that ended the search for the account's lists on the server. Nil if the search succeeded, or if it
        /// found that the account's only collection is gone.
        package var error: CalDAVError?
        /// The error that made the password unavailable. The account was then not synced. Nil if the password is
        /// available, or if the account needs none.
        package var passwordError: PhoneError?
        package var requests = 0
        package var bytes = 0

        package var hasChangedRows: Bool { lists.contains { $0.round.received + $0.round.removed > 0 } }

        package var errors: [CalDAVError] {
            [error].compactMap(\.self) + lists.compactMap(\.error)
        }
    }

    private let store: PhoneStore
    private let account: CalendarAccount
    private let client: AccountClient
    private let traffic: CountingTransport

    package init(
        _ store: PhoneStore, _ account: CalendarAccount, over transport: any HTTPTransport, password: String?
    ) {
        self.store = store
        self.account = account
        traffic = CountingTransport(transport)
        // Requests to other servers, after a redirection, do not contain the password.
        let home = (try? WebAddress(account.address)) ?? account.place.address
        client = AccountClient(traffic, home: home, login: AccountSync.login(account.user, password))
    }

    private static func login(_ user: String?, _ password: String?) -> Login? {
        user.map { Login(user: $0, password: password ?? "") }
    }

    /// Finds the collections of an account that the owner is about to add.
    package static func discover(
        _ address: WebAddress, over transport: any HTTPTransport, user: String?, password: String?
    ) async throws(CalDAVError) -> (place: AccountPlace, collections: [RemoteCollection]) {
        try await find(Discovery(address), AccountClient(transport, home: address, login: login(user, password)))
    }

    private static func find(
        _ discovery: Discovery, _ client: AccountClient
    ) async throws(CalDAVError) -> (place: AccountPlace, collections: [RemoteCollection]) {
        var discovery = discovery
        var action = discovery.next()
        while true {
            switch action {
            case .request(let request):
                do throws(CalDAVError) {
                    let (response, address) = try await client.send(request)
                    // The other server wants a login, but does not get this account's password.
                    if response.status == 401, address.origin != client.home.origin {
                        throw .redirected(to: address.text)
                    }
                    action = discovery.next(after: response, from: address)
                } catch {
                    action = discovery.next(after: error)
                }
            case .found(let place, let collections): return (place, collections)
            case .failed(let error): throw error
            }
        }
    }

    func makeCollection(_ publication: ListPublication) async -> CollectionMaking.Outcome {
        var making = CollectionMaking(publication.address, name: publication.name, publication.start)
        var action = making.first()
        while true {
            switch action {
            case .request(let request):
                do throws(CalDAVError) { action = making.next(after: try await client.send(request).response) } catch {
                    return .failed(error)
                }
            case .finish(let outcome): return outcome
            }
        }
    }

    /// Syncs all lists of the account, one after the other. Errors of the server are in the report. Changes that the
    /// phone could not send stay stored for the next sync.
    package func run(missing policy: MissingPolicy = .ask) async throws(PhoneError) -> Report {
        var report = Report(account: account)
        var found: [RemoteCollection] = []
        do throws(CalDAVError) {
            found = try await AccountSync.find(Discovery(in: account.place), client).collections
                .filter { $0.address.origin == account.place.address.origin }
        } catch {
            // The server may have deleted the account's only collection. If so, its list is detached below.
            if case (.collection, .missing) = (account.place, error) {
            } else {
                report.error = error
            }
        }
        if report.error == nil {
            try await store.attach(found, to: account.number)
            for list in try await store.calendars(of: account.number) {
                let remote = found.first { $0.address.path == list.address.path }
                guard remote != nil || list.state == .attached else { continue }
                var round = RoundReport()
                if let remote {
                    round = try await sync(list, remote, policy)
                } else {
                    round.end = .gone
                }
                if case .gone = round.end { try await store.detach(list.number) }
                report.lists.append(Report.List(name: list.name, round: round))
            }
            let lists = try await store.calendars(of: account.number)
            for place in report.lists.indices {
                guard let list = lists.first(where: { $0.name == report.lists[place].name }) else { continue }
                report.lists[place].waiting = list.waiting
                report.lists[place].unsynced = list.unsynced
            }
        }
        (report.requests, report.bytes) = traffic.total
        return report
    }

    private func sync(
        _ list: CalendarList, _ remote: RemoteCollection, _ policy: MissingPolicy
    ) async throws(PhoneError) -> RoundReport {
        let state = try await store.calendarState(list.number)
        let isUnchanged = state.token != nil && state.token == remote.syncToken
        var round = CollectionRound(
            of: list.address, from: isUnchanged ? .edits : .changes(since: state.token), known: state.known,
            policy: policy, now: store.dependencies.now())
        var action = round.next(after: .begin)
        while true {
            switch action {
            case .request(let request):
                let event: RoundEvent
                do throws(CalDAVError) { event = .response(try await client.send(request).response) } catch {
                    event = .failure(error)
                }
                action = round.next(after: event)
            case .change(let change):
                action = round.next(after: .changed(older: try await store.make(change, in: list.number)))
            case .readEdits(let item):
                action = round.next(after: .edits(try await store.pendingEdits(of: list.number, only: item)))
            case .finish(let report):
                if !report.refused.isEmpty || !list.unsynced.isEmpty {
                    try await store.storeRefusals(report.refused, of: list.number)
                }
                return report
            }
        }
    }
}

/// Passes requests to another transport, and counts them and the bytes of all bodies in both directions.
final class CountingTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let counts = Mutex((requests: 0, bytes: 0))

    init(_ transport: any HTTPTransport) {
        self.transport = transport
    }

    var total: (Int, Int) { counts.withLock { ($0.requests, $0.bytes) } }

    func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse {
        counts.withLock { counts in
            counts.requests += 1
            counts.bytes += request.body.count
        }
        let response = try await transport.send(request)
        counts.withLock { $0.bytes += response.body.count }
        return response
    }
}
