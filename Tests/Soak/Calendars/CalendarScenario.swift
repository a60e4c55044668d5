import CalDAV
import DeviceModel
import PhoneHost
import TestDoubles
import WatchLink

/// A simulation in which two phones share a list on a calendar server, and a third program edits the list there.
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
    /// The faults that wait for a request, oldest first. A request gets the oldest fault with its method or with nil.
    var troubles: [(fault: InMemoryCalendarServer.Fault, method: HTTPRequest.Method?)] = []
    /// When the hidden collection returns; nil while the server has the collection.
    var hiddenUntil: Instant?
    var copy: [String: InMemoryCalendarServer.Item]?
    var isServerRestored = false
    /// Whether the server has refused tokens that it had given, and whether it has an older text of an item. A phone
    /// that meets both assumes that the server was restored, and sends items again that other editors have removed.
    var looksRestored = (refusesTokens: false, hasOlderText: false)
    /// The texts that each item has had on the server, by path, oldest first.
    var versions: [String: [ForeignTodo]] = [:]
    /// The paths of items that the server has confirmed to the phone that sent them.
    var acknowledged: Set<String> = []
    /// The items, by path, whose text on the server is older than the text that both phones know.
    var stale: [String: StaleItem] = [:]
    var expected = ExpectedList()
    private var takenSeconds: Set<Int64> = []

    struct StaleItem {
        let number: Int
        /// What the item showed before an older text replaced its text.
        let newest: ShownItem
        /// What the item may show if an editor edits the older text.
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

    /// Returns the time for a new check-off, in seconds since 1970: `wanted`, or an earlier second if another check-off
    /// already has that time.
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
