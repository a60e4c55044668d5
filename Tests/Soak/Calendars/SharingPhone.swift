import CalDAV
import PhoneHost
import Synchronization
import WatchLink

final class SharingPhone: Computer<SyncProgram> {
    static let list = "Food"

    let editor: ListEditor
    var awayUntil: Instant?

    /// Numbers of items with edits that the server may not have. A complete sync removes the numbers that it sent.
    struct Unsent {
        /// Items that the phone's owner has checked off or reopened.
        var states: Set<Int> = []
        var edits: Set<Int> = []
    }

    var unsent = Unsent()
    /// The value of `unsent` when the running sync began.
    var sending = Unsent()
    /// Numbers of items with an edit that was still unsent when the restored copy was saved. The next complete sync
    /// empties the set.
    var doubtful: Set<Int> = []
    /// Items whose text on the server was replaced by an older text that the phone has not fetched. The value has what
    /// the older text shows, and what the item has shown since that text.
    ///
    /// If the owner edits such an item before a complete sync, the older text may win over the edit. The other phone
    /// may then bring back what the item showed before.
    var unseenOlder: [Int: Set<ShownItem>] = [:]
    /// The entries that a sync has taken from `unseenOlder`. A complete sync empties the dictionary.
    var meeting: [Int: Set<ShownItem>] = [:]
    /// The state of the test when the copy of the phone's database was saved.
    var momentOfCopy: Moment?

    struct Moment {
        /// The number of edits by all editors so far.
        let edits: Int
        let unsent: Unsent
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
    /// Paths of the items that the server has confirmed in the current sync.
    var answered: [String] = []
    var sync: SyncCall?
    /// The report of the last sync; nil before the first sync, or if the last sync threw an error.
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
        // A sync may send one more request after a request fails.
        while let next = transport.take() {
            next.continuation.resume(returning: .failure(.stopped))
            executor.run()
        }
        try? store.close()
    }
}

/// A phone's connection to the simulated server. `send` waits until the scenario answers the request.
final class SimulatedHTTPTransport: HTTPTransport {
    typealias Answer = Result<HTTPResponse, CalDAVError>

    struct Waiting: Sendable {
        let request: HTTPRequest
        let continuation: CheckedContinuation<Answer, Never>
    }

    /// The request that the scenario has not taken yet. A sync sends one request at a time.
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
