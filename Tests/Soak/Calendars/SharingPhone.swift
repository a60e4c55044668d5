import CalDAV
import PhoneHost
import Synchronization
import WatchLink

final class SharingPhone: Computer<SyncProgram> {
    static let list = "Food"

    let editor: ListEditor
    var awayUntil: Instant?

    /// Edits on the phone that the server may lack.
    struct Unsent {
        /// Items that it has checked off or opened, without the server's confirmation.
        var states: Set<Int> = []
        /// The items that it has edited since its last whole sync.
        var edits: Set<Int> = []
    }

    var unsent = Unsent()
    /// The part of `unsent` that the running sync sends.
    var sending = Unsent()
    /// Items with an edit that a restored copy had not sent. The next whole sync empties it.
    var doubtful: Set<Int> = []
    /// The items whose text on the server was replaced by an older one since its last whole sync, with what each showed before and
    /// what the older texts show. If its owner edits an item first, the server's older text may count over that edit, and the
    /// other phone may then put back what the item showed before.
    var unseenOlder: [Int: Set<ShownItem>] = [:]
    /// The part of `unseenOlder` that the running sync sees.
    var meeting: [Int: Set<ShownItem>] = [:]
    /// The state when the copy of its database was saved.
    var momentOfCopy: Moment?

    struct Moment {
        /// The number of edits of the list until then.
        let edits: Int
        let unsent: Unsent
        /// The paths of items that the server had confirmed to a phone.
        let acknowledged: Set<String>
    }

    init(_ editor: ListEditor, seed: UInt64, clock: SimulationClock) {
        self.editor = editor
        super.init(editor.name, folder: editor.rawValue, seed: seed, clock: clock)
    }
}

final class SyncProgram: ComputerProgram {
    let process: DiskProcess
    let store: PhoneStore
    let account: CalendarAccount
    let transport = SimulatedHTTPTransport()
    var flight: RequestFlight?
    /// The paths of items that the server has confirmed in the present sync.
    var answered: [String] = []
    var sync: SyncCall?
    /// The report of the last sync; nil without one, or if its database failed.
    var last: AccountSync.Report?

    private let executor: InlineExecutor

    init(
        _ store: PhoneStore, _ process: DiskProcess, _ account: CalendarAccount, _ executor: InlineExecutor
    ) {
        self.executor = executor
        self.store = store
        self.process = process
        self.account = account
    }

    final class SyncCall: Sendable {
        private let result = Mutex<Result<AccountSync.Report, PhoneError>?>(nil)

        func end(_ result: Result<AccountSync.Report, PhoneError>) { self.result.withLock { $0 = result } }

        var ended: Result<AccountSync.Report, PhoneError>? { result.withLock { $0 } }
    }

    var due: Instant? { nil }

    func step() -> Bool { false }

    func stop() {
        process.kill()
        discard()
    }

    func discard() {
        flight?.waiting.continuation.resume(returning: .failure(.stopped))
        flight = nil
        executor.run()
        // A sync asks once more when it was told that nothing comes.
        while let next = transport.take() {
            next.continuation.resume(returning: .failure(.stopped))
            executor.run()
        }
        try? store.close()
    }
}

/// A phone's transport to the server. It keeps a request until the scenario answers it.
final class SimulatedHTTPTransport: HTTPTransport {
    typealias Answer = Result<HTTPResponse, CalDAVError>

    struct Waiting: Sendable {
        let request: HTTPRequest
        let continuation: CheckedContinuation<Answer, Never>
    }

    /// The request that the scenario has not taken yet: a sync has one at a time.
    private let waiting = Mutex<Waiting?>(nil)

    func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse {
        let answer: Answer = await withCheckedContinuation { continuation in
            waiting.withLock { $0 = Waiting(request: request, continuation: continuation) }
        }
        return try answer.get()
    }

    func take() -> Waiting? {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
    }
}

struct RequestFlight {
    let waiting: SimulatedHTTPTransport.Waiting
    let arrives: Instant
    let returns: Instant
    var answer: SimulatedHTTPTransport.Answer?
}
