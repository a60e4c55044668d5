import CalDAV
import Foundation
import PhoneHost
import Synchronization
import WatchLink

/// One of the two phones that share a list: its disk and its clock, and its program while that runs.
final class SharingPhone {
    /// The program from its start to its end, which may be sudden.
    final class Program {
        let store: PhoneStore
        let process: DiskProcess
        let account: CalendarAccount
        let transport = PacedTransport()
        /// The request that is on its way.
        var flight: RequestFlight?
        /// The paths of the items that the server has taken in the sync that runs, as the phone was told.
        var answered: [String] = []
        /// The sync that runs.
        var sync: SyncCall?
        /// What the last sync did; nil where its database failed, or there was none.
        var last: AccountSync.Report?
        /// The failed writes that are counted already.
        var failuresNoted = 0

        init(_ store: PhoneStore, _ process: DiskProcess, _ account: CalendarAccount) {
            self.store = store
            self.process = process
            self.account = account
        }
    }

    /// A sync that was begun.
    final class SyncCall: Sendable {
        private let result = Mutex<Result<AccountSync.Report, PhoneError>?>(nil)

        func end(_ result: Result<AccountSync.Report, PhoneError>) { self.result.withLock { $0 = result } }

        /// Nil while it runs.
        var ended: Result<AccountSync.Report, PhoneError>? { result.withLock { $0 } }
    }

    static let list = "Food"

    let editor: ListEditor
    let phone: Phone
    var program: Program?
    /// When the program is started again; nil while it runs.
    var starts: Instant?
    /// What becomes of it when its program was killed.
    var outage = (loss: DeliveryHappening.Loss.nothing, milliseconds: 500)
    /// When it has a connection again; nil while it has one.
    var awayUntil: Instant?

    /// The items that it has checked off or opened without knowing that the server has that, and those of them whose edits
    /// the sync sends that runs.
    var unsettled: Set<Int> = []
    var syncing: Set<Int> = []
    /// The items that it has edited since its last whole sync, and those of them whose edits the sync sends that runs.
    var unsent: Set<Int> = []
    var sending: Set<Int> = []
    /// The items of a copy that was put back of which an edit was still to be sent, until the next whole sync.
    var doubtful: Set<Int> = []
    /// The copy of its database that was put away last.
    var copy: DatabaseCopy?

    init(_ editor: ListEditor, number: Int, seed: UInt64) {
        self.editor = editor
        phone = Phone(number, seed: seed)
    }

    var name: String { editor.name }
}
