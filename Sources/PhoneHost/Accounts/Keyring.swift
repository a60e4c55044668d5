import Foundation
import HostSystem

/// The passwords of one database's accounts, in the keyring of the user's session. The keyring is a Secret Service such
/// as GNOME Keyring, called through libsecret.
///
/// The keyring finds a password by two attributes: `database` is the database's path, and `account` is the account's
/// number.
package struct Keyring: PasswordKeeping {
    private let database: String

    package init(ofDatabase database: String) {
        self.database = URL(filePath: database).resolvingSymlinksInPath().path
    }

    /// Returns the label that a keyring program shows for the account's password.
    package static func label(of account: CalendarAccount) -> String {
        "Tapline: \(account.address)" + (account.user.map { " as \($0)" } ?? "")
    }

    package func entry(of account: Int64) async throws(PhoneError) -> PasswordEntry {
        try await perform { call throws(KeyringFault) in try call.entry(of: account, database) }
    }

    /// Reads a password. If the keyring is locked, throws an error, and does not ask the owner to unlock it.
    package func password(of account: Int64) async throws(PhoneError) -> String? {
        try await perform { call throws(KeyringFault) in
            switch try call.entry(of: account, database) {
            case .absent: nil
            case .locked: throw .locked
            case .readable: try call.password(of: account, database)
            }
        }
    }

    package func keep(_ password: String, of account: CalendarAccount) async throws(PhoneError) {
        let label = Keyring.label(of: account)
        try await perform { call throws(KeyringFault) in
            try call.keep(password, of: account.number, database, label: label)
        }
    }

    package func forget(_ account: Int64) async throws(PhoneError) {
        try await perform { call throws(KeyringFault) in
            switch try call.entry(of: account, database) {
            case .absent: return
            case .locked: throw .locked
            case .readable: try call.forget(account, database)
            }
        }
    }

    /// Calls `body` on a new thread, because calls to the keyring block. If the task is cancelled, the running call
    /// ends.
    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (KeyringCall) throws(KeyringFault) -> Value
    ) async throws(PhoneError) -> Value {
        guard SessionBus.isThere() else { throw .account(.keyring(.unreachable(reason: "there is no session bus"))) }
        let call = KeyringCall()
        let result = await withTaskCancellationHandler {
            await Keyring.result(call, body)
        } onCancel: {
            call.cancel()
        }
        do throws(KeyringFault) { return try result.get() } catch { throw .account(.keyring(error)) }
    }

    private static func result<Value: Sendable>(
        _ call: KeyringCall, _ body: @escaping @Sendable (KeyringCall) throws(KeyringFault) -> Value
    ) async -> Result<Value, KeyringFault> {
        do throws(HostSystemError) {
            return try await SystemThread.result {
                do throws(KeyringFault) { return .success(try call.connected(body)) } catch { return .failure(error) }
            }
        } catch {
            return .failure(.unreachable(reason: "\(error)"))
        }
    }
}

/// Checks whether the user's session has a D-Bus bus. Tapline checks this before it calls libsecret, because D-Bus
/// libraries would start a bus if there is none.
enum SessionBus {
    /// True if `DBUS_SESSION_BUS_ADDRESS` names a bus, or if it is not set and the user's runtime directory has a bus
    /// socket. These are rules of the D-Bus specification. Does not connect to the bus.
    static func isThere(
        _ environment: [String: String] = ProcessInfo.processInfo.environment,
        isOwnSocket: (String) -> Bool = SessionBus.isOwnSocket
    ) -> Bool {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] {
            return !address.isEmpty && !address.contains("autolaunch:") && !address.hasPrefix("disabled:")
        }
        guard let directory = environment["XDG_RUNTIME_DIR"], !directory.isEmpty else { return false }
        return isOwnSocket("\(directory)/bus")
    }

    private static func isOwnSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == geteuid()
    }
}
