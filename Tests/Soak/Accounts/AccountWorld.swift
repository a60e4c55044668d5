import CalDAV
import CalDAVTesting
import Foundation
import PhoneHost
import WatchLink

/// Two phones and a calendar server on one virtual clock. It has a plan happen, and an oracle look on.
final class AccountWorld {
    let plan: AccountPlan
    let parts: AccountParts
    let pump: JobPump
    let disk: VirtualDisk
    let server: InMemoryCalendarServer
    let phones: [SharingPhone]
    private(set) var now = Instant.start
    /// How long a request or an answer takes.
    var delay = Microseconds.milliseconds(40)
    /// The faults that requests are still to meet, the next first.
    var troubles: [(fault: AccountHappening.ServerFault, kind: AccountHappening.RequestKind?)] = []
    /// When the collection is there again; nil while it is.
    var hiddenUntil: Instant?
    /// The last copy of the server's items.
    var copy: [String: InMemoryCalendarServer.Item]?
    /// Whether a copy was put back.
    var restoration = Restoration.none
    /// The texts that each item has had on the server, oldest first.
    var versions: [String: [ForeignTodo]] = [:]
    /// The paths of the items of which a phone knows that the server has taken them.
    var acknowledged: Set<String> = []
    /// The items that have an older text than both phones know, by path.
    var stale: [String: StaleItem] = [:]
    var meant = MeantList()
    var story: Story
    var violation: Violation?
    var counts: [SharingFault: Int] = [:]
    /// What was synced, of each kind.
    var synced: [String: Int] = [:]
    private var lastNumber = 0
    private var takenSeconds: Set<Int64> = []
    private var moves = 0

    /// What has become of the server's items.
    enum Restoration {
        case none
        /// They are those of an older copy.
        case older
    }

    /// An item that has an older text on the server.
    struct StaleItem {
        let number: Int
        /// What it showed before.
        let newest: ItemSight
        /// What it may show where somebody edits the older text.
        let older: [ItemSight]
    }

    init(_ plan: AccountPlan, parts: AccountParts, pump: JobPump, disk: VirtualDisk, story: Story) {
        self.plan = plan
        self.parts = parts
        self.pump = pump
        self.disk = disk
        self.story = story
        let naming: InMemoryCalendarServer.Naming =
            switch plan.versions {
            case .counted: .counted
            case .hashed: .hashed
            }
        server = InMemoryCalendarServer(naming: naming)
        phones = [
            SharingPhone(.phoneA, number: 0, seed: plan.seed &* 3 &+ 1),
            SharingPhone(.phoneB, number: 1, seed: plan.seed &* 5 &+ 2),
        ]
    }

    /// A number that nothing had before.
    func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// The second of a check-off: this one, or the last before it in which nothing was checked off.
    func newSecond(_ wanted: Int64) -> Int64 {
        var second = wanted
        while !takenSeconds.insert(second).inserted { second -= 1 }
        return second
    }

    /// The third program's clock, in seconds since 1970.
    var otherClock: Int64 { Int64(WallClock.start) + Int64(now.microseconds / 1_000_000) }

    func tell(_ text: @autoclosure () -> String) { story.tell(now, text()) }

    func count(_ fault: SharingFault) { counts[fault, default: 0] += 1 }

    func fail(_ violation: Violation?) {
        guard self.violation == nil, let violation else { return }
        self.violation = violation
        tell("VIOLATION (\(violation.promise.rawValue)): \(violation.what)")
    }

    // MARK: The programs

    func begin() {
        for phone in phones {
            disk.restore(DatabaseTemplate.image(phone.phone.number, for: phone.phone), in: phone.phone.directory)
            start(phone)
        }
    }

    func start(_ phone: SharingPhone) {
        phone.starts = nil
        let process = DiskProcess()
        disk.process = process
        do throws(PhoneError) {
            let store = try PhoneStore(inMemory: phone.phone.path, dependencies: phone.phone.wallClock.dependencies)
            guard let account = account(in: store) else {
                try store.close()
                throw .account(.unknown(query: "the first"))
            }
            phone.program = SharingPhone.Program(store, process, account)
            tell("\(phone.name)'s program starts")
        } catch {
            tell("\(phone.name)'s program cannot start: \(error)")
            phone.starts = now + .seconds(1)
        }
    }

    /// The account of a phone, which is added at its first start; nil where its database fails.
    private func account(in store: PhoneStore) -> CalendarAccount? {
        let account: CalendarAccount?? = pump.result {
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

    /// The program of a phone was killed.
    private func bury(_ phone: SharingPhone, _ program: SharingPhone.Program) {
        let writes = program.process.writes
        discard(program)
        phone.program = nil
        switch phone.outage.loss {
        case .nothing:
            disk.release(program.process)
            count(.accountKill)
            tell("\(phone.name)'s program is killed at its write \(writes)")
        case .power:
            disk.losePower(phone.phone.directory)
            count(.accountPowerLoss)
            tell("\(phone.name) loses its power at its write \(writes)")
        }
        phone.starts = now + .milliseconds(UInt32(phone.outage.milliseconds))
    }

    /// Ends the program of a phone, whatever it is doing.
    func end(_ program: SharingPhone.Program, of phone: SharingPhone) {
        discard(program)
        phone.program = nil
        disk.release(program.process)
    }

    /// Clears away what is left of a program in this process; it changes nothing any more.
    private func discard(_ program: SharingPhone.Program) {
        program.process.kill()
        noteFailures(of: program)
        let waiting = [program.flight?.waiting, program.transport.take()]
        program.flight = nil
        for waiting in waiting { waiting?.continuation.resume(returning: .failure(.stopped)) }
        pump.run()
        // A sync asks once more where it was told that nothing comes.
        while let next = program.transport.take() {
            next.continuation.resume(returning: .failure(.stopped))
            pump.run()
        }
        try? program.store.close()
    }

    func noteFailures(of program: SharingPhone.Program) {
        counts[.accountDiskFailure, default: 0] += program.process.failures - program.failuresNoted
        program.failuresNoted = program.process.failures
    }

    /// Closes everything.
    func end() {
        for phone in phones {
            if let program = phone.program { discard(program) }
            phone.program = nil
        }
    }
}

// Time.
extension AccountWorld {
    /// Runs until `end`, or until a promise is broken.
    func run(until end: Instant) {
        while violation == nil, step(until: end) {}
    }

    /// Makes the next thing happen that is due by `end`; moves there where there is none. Returns whether there was one.
    private func step(until end: Instant) -> Bool {
        settle()
        let dues = phones.flatMap { phone in
            let flight = phone.program?.flight
            return [phone.starts, flight?.answer == nil ? flight?.arrives : flight?.returns]
        }
        guard let next = (dues + [hiddenUntil]).compactMap({ $0 }).min(), next <= end else {
            move(to: max(now, end))
            settle()
            return false
        }
        move(to: max(now, next))
        for phone in phones { if let starts = phone.starts, starts <= now { start(phone) } }
        settle()
        return true
    }

    private func move(to time: Instant) {
        moves = time == now ? moves + 1 : 0
        if moves > 5_000 { fail(Violation(promise: .boundedCost, what: "a sync never comes to rest")) }
        now = time
        for phone in phones { phone.phone.wallClock.advance(to: time) }
        if let end = hiddenUntil, end <= now { show() }
    }

    /// The collection is there again.
    func show() {
        guard hiddenUntil != nil else { return }
        hiddenUntil = nil
        server.bringBackCollection()
        tell("the collection is there again")
    }

    /// Lets the programs do what there is to do, and the requests travel.
    func settle() {
        var isNews = true
        while isNews {
            pump.run()
            isNews = false
            for phone in phones {
                guard let program = phone.program else { continue }
                if !program.process.isRunning {
                    bury(phone, program)
                    isNews = true
                } else if travel(phone, program) {
                    isNews = true
                } else if let result = program.sync?.ended {
                    program.sync = nil
                    note(result, of: phone, program)
                    isNews = true
                }
            }
        }
    }
}
