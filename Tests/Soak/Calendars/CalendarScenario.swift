import CalDAV
import DeviceModel
import PhoneHost
import TestDoubles
import WatchLink

/// Two phones share a list on a calendar server, and a third program edits it there.
final class CalendarScenario: Scenario {
    typealias Event = CalendarEvent
    typealias Cast = CalendarCast
    typealias Program = SyncProgram
    typealias Machine = SharingPhone

    static let name = "calendars"

    let plan: Plan<CalendarScenario>
    let parts: Parts
    let simulation: Simulation
    let server: InMemoryCalendarServer
    let computers: [SharingPhone]
    var delay = Microseconds.milliseconds(40)
    /// The faults of future requests, the next one first.
    var troubles: [(fault: InMemoryCalendarServer.Fault, method: HTTPRequest.Method?)] = []
    /// When the collection returns; nil while it is there.
    var hiddenUntil: Instant?
    var copy: [String: InMemoryCalendarServer.Item]?
    var isServerRestored = false
    /// Whether the server has refused tokens that it gave, and whether it has an older text of an item. A phone that meets both
    /// takes the server for one that was restored, and puts back what others have removed.
    var looksRestored = (refusesTokens: false, hasOlderText: false)
    /// The texts that each item has had on the server, oldest first.
    var versions: [String: [ForeignTodo]] = [:]
    /// The paths of items that the server has confirmed to a phone.
    var acknowledged: Set<String> = []
    /// The items with an older text than both phones know, by path.
    var stale: [String: StaleItem] = [:]
    var expected = ExpectedList()
    private var takenSeconds: Set<Int64> = []

    /// An item that has an older text on the server.
    struct StaleItem {
        let number: Int
        /// What it showed before.
        let newest: ShownItem
        /// What it may show if an editor edits the older text.
        let older: [ShownItem]
    }

    init(_ plan: Plan<CalendarScenario>, _ parts: Parts, in simulation: Simulation) {
        self.plan = plan
        self.parts = parts
        self.simulation = simulation
        server = InMemoryCalendarServer(naming: plan.cast.versions)
        computers = [
            SharingPhone(.phoneA, seed: plan.seed &* 3 &+ 1, clock: simulation.clock),
            SharingPhone(.phoneB, seed: plan.seed &* 5 &+ 2, clock: simulation.clock),
        ]
    }

    var phones: [SharingPhone] { computers }

    /// The wanted second, or the last earlier one without a check-off.
    func newSecond(_ wanted: Int64) -> Int64 {
        var second = wanted
        while !takenSeconds.insert(second).inserted { second -= 1 }
        return second
    }

    /// The third program's clock, in seconds since 1970.
    var otherClock: Int64 { Int64(SimulatedWallClock.start) + Int64(now.microseconds / 1_000_000) }

    // MARK: The programs

    func begin() {
        for (phone, template) in zip(phones, DatabaseTemplate.phones) {
            disk.restore(template.image(at: phone.path), in: phone.directory)
            start(phone)
        }
    }

    func launch(_ phone: SharingPhone, _ process: DiskProcess) throws -> SyncProgram {
        let store = try PhoneStore(inMemory: phone.path, dependencies: phone.wallClock.dependencies)
        guard let account = account(in: store) else {
            try store.close()
            throw PhoneError.account(.unknown(query: "the first"))
        }
        return SyncProgram(store, process, account, executor)
    }

    private func account(in store: PhoneStore) -> CalendarAccount? {
        let account: CalendarAccount?? = executor.result {
            do {
                if let known = try await store.accounts().first { return known }
                let place = try WebAddress("http://localhost\(InMemoryCalendarServer.path)")
                var account = CalendarAccount(
                    address: place.text, user: nil, certificate: nil, place: .collection(place))
                account.number = try await store.add(account)
                return account
            } catch {
                return nil
            }
        }
        return account ?? nil
    }

    // MARK: Time

    func nextDue() -> Instant? {
        phones.reduce(hiddenUntil) { due, phone in
            earlier(due, phone.program?.flight.map { $0.answer == nil ? $0.arrives : $0.returns })
        }
    }

    func act(before horizon: Instant) {
        if let end = hiddenUntil, end <= now { show() }
    }

    func show() {
        guard hiddenUntil != nil else { return }
        hiddenUntil = nil
        server.bringBackCollection()
        tell("the collection is there again")
    }

    func carry() -> Bool {
        var isNews = false
        for phone in phones {
            guard let program = phone.program, program.process.isRunning else { continue }
            if travel(phone, program) {
                isNews = true
            } else if let result = program.sync?.ended {
                program.sync = nil
                note(result, of: phone, program)
                isNews = true
            }
        }
        return isNews
    }
}
