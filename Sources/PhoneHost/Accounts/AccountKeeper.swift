import CalDAV
import Foundation
import SystemPackage

/// Syncs all calendar accounts of a database, either once or repeatedly while a process serves the watches.
package struct AccountKeeper: Sendable {
    /// The maximum pause after a failure, in seconds.
    private static let longestPause = 3_600.0
    /// The maximum pause while a password is unavailable, in seconds. This maximum is low, because the owner may unlock the
    /// keyring at any time.
    private static let passwordPause = 300.0
    /// The time between two checks for changed lists, in milliseconds.
    private static let checkInterval = 1_000

    let store: PhoneStore
    let passwords: AccountPasswords
    let transport: @Sendable (CalendarAccount) -> any HTTPTransport

    package init(
        _ store: PhoneStore, passwords: AccountPasswords,
        transport: @escaping @Sendable (CalendarAccount) -> any HTTPTransport
    ) {
        self.store = store
        self.passwords = passwords
        self.transport = transport
    }

    /// Creates a keeper that uses the network, the keyring of the user's session, and the password file beside the
    /// database.
    package init(_ store: PhoneStore) {
        self.init(store, passwords: AccountPasswords(besideDatabase: store.path)) {
            CurlTransport(certificate: $0.certificate)
        }
    }

    /// Syncs every account once. If an account's password is unavailable, the account's report has the error, and the
    /// other accounts are still synced.
    package func syncOnce(missing policy: MissingPolicy = .ask) async throws(PhoneError) -> [AccountSync.Report] {
        let accounts = try await store.accounts()
        guard !accounts.isEmpty else { return [] }
        let lock = try await SyncLock(ofDatabase: store.path, within: 30)
        defer { lock.end() }
        var reports: [AccountSync.Report] = []
        for account in accounts {
            let password: String?
            do throws(PhoneError) { password = try await passwords.password(of: account) } catch {
                reports.append(AccountSync.Report(account: account, passwordError: error))
                continue
            }
            let transport = transport(account)
            let sync = AccountSync(store, account, over: transport, password: password)
            let result = await withTaskCancellationHandler {
                await AccountKeeper.result { () async throws(PhoneError) in try await sync.run(missing: policy) }
            } onCancel: {
                (transport as? CurlTransport)?.stop()
            }
            reports.append(try result.get())
        }
        return reports
    }

    private static func result(
        _ body: () async throws(PhoneError) -> AccountSync.Report
    ) async -> Result<AccountSync.Report, PhoneError> {
        do throws(PhoneError) { return .success(try await body()) } catch { return .failure(error) }
    }

    /// Syncs now, after each change of a list that is on a calendar server, and every `interval` seconds, until the
    /// task is cancelled. Calls `finished` after each sync.
    ///
    /// After a failure, the next sync waits for a pause, even if a list changes. Each further failure doubles the pause.
    /// The pause is at least as long as the server asks for, and at most an hour. If every error needs the owner to act,
    /// the pause is an hour. If a password is unavailable, the pause is at most five minutes.
    package func run(
        every interval: Double, _ finished: @Sendable (Result<[AccountSync.Report], PhoneError>) async -> Void
    ) async {
        var due = store.dependencies.now()
        var pause = 0.0
        var seen: Int64 = -1
        while !Task.isCancelled {
            let change = (try? await store.calendarChange()) ?? seen
            let now = store.dependencies.now()
            if now >= due || (change != seen && pause == 0) {
                seen = change
                let result: Result<[AccountSync.Report], PhoneError>
                do throws(PhoneError) { result = .success(try await syncOnce()) } catch { result = .failure(error) }
                guard !Task.isCancelled else { return }
                pause = AccountKeeper.pause(after: result, before: pause)
                due = store.dependencies.now().addingTimeInterval(pause > 0 ? pause : interval)
                await finished(result)
            }
            guard (try? await Task.sleep(for: .milliseconds(AccountKeeper.checkInterval))) != nil else { return }
        }
    }

    private static func pause(after result: Result<[AccountSync.Report], PhoneError>, before: Double) -> Double {
        let errors: [CalDAVError]
        switch result {
        case .success(let reports):
            guard reports.allSatisfy({ $0.passwordError == nil }) else {
                return min(max(before * 2, 10), passwordPause)
            }
            errors = reports.flatMap(\.errors)
        case .failure: return min(max(before * 2, 30), longestPause)
        }
        guard !errors.isEmpty else { return 0 }
        if errors.allSatisfy({ !$0.isTemporary }) { return longestPause }
        let asked = errors.compactMap(\.pause).max().map(Double.init) ?? 0
        return min(max(before * 2, asked, 10), longestPause)
    }
}

/// A lock that allows only one program at a time to sync the accounts of a database.
package struct SyncLock: Sendable {
    private let file: FileDescriptor

    /// Waits for the lock, at most `seconds`, without blocking a thread.
    package init(ofDatabase database: String, within seconds: Int) async throws(PhoneError) {
        let path = "\(database)-sync"
        do {
            file = try FileDescriptor.open(
                FilePath(path), .readWrite, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
        } catch {
            throw .file(path: path, reason: String(describingErrno: error))
        }
        for _ in 0...seconds * 10 {
            if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 { return }
            if Errno(rawValue: errno).meansNoLocks {
                try? file.close()
                throw .file(path: path, reason: PhoneError.noLocks)
            }
            // The kernel has no lock with a time limit, so this tries every 100 ms.
            guard (try? await Task.sleep(for: .milliseconds(100))) != nil else { break }
        }
        try? file.close()
        throw .account(.busy)
    }

    package func end() {
        _ = flock(file.rawValue, LOCK_UN)
        try? file.close()
    }
}
