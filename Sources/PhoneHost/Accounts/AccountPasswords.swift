package enum PasswordPlace: String, Sendable {
    case none
    case file
    case keyring
    case lockedKeyring = "keyring, locked"
    /// The file does not have the password. The keyring may have it, but cannot be reached.
    case unreachableKeyring = "keyring, unreachable"
    /// Neither the file nor the keyring has the password.
    case missing
}

/// The passwords of a database's accounts. Each password is in the keyring of the user's session, or in a file beside
/// the database.
///
/// If the file has an account's password, the keyring is not asked for it.
package struct AccountPasswords: Sendable {
    package enum Choice: String, CaseIterable, Sendable {
        case keyring
        case file
    }

    private let file: any PasswordKeeping
    private let keyring: any PasswordKeeping

    package init(file: any PasswordKeeping, keyring: any PasswordKeeping) {
        self.file = file
        self.keyring = keyring
    }

    package init(besideDatabase database: String) {
        self.init(file: PasswordFile(besideDatabase: database), keyring: Keyring(ofDatabase: database))
    }

    package func place(of account: CalendarAccount) async throws(PhoneError) -> PasswordPlace {
        guard account.user != nil else { return .none }
        switch try await file.entry(of: account.number) {
        case .readable, .locked: return .file
        case .absent: break
        }
        do throws(PhoneError) {
            return switch try await keyring.entry(of: account.number) {
            case .readable: .keyring
            case .locked: .lockedKeyring
            case .absent: .missing
            }
        } catch {
            return .unreachableKeyring
        }
    }

    /// Returns the account's password, or nil if the account has no user name.
    package func password(of account: CalendarAccount) async throws(PhoneError) -> String? {
        guard account.user != nil else { return nil }
        if let password = try await file.password(of: account.number) { return password }
        if let password = try await keyring.password(of: account.number) { return password }
        throw .account(.noPassword(address: account.address))
    }

    /// Stores the password of a new account, and returns the password's place. If `choice` is nil, stores the password in
    /// the keyring, or in the file if the keyring cannot be reached.
    package func keep(
        _ password: String, of account: CalendarAccount, in choice: Choice?
    ) async throws(PhoneError) -> PasswordPlace {
        switch choice {
        case .keyring: break
        case .file:
            try await file.keep(password, of: account)
            return .file
        case nil:
            do throws(PhoneError) { _ = try await keyring.entry(of: account.number) } catch {
                return try await keep(password, of: account, in: .file)
            }
        }
        try await keyring.keep(password, of: account)
        // An earlier account with this number may have left a password in the file, which is asked before the keyring.
        try await file.forget(account.number)
        return .keyring
    }

    /// Removes the account's password. Fails if the keyring may have it, but is locked or cannot be reached.
    package func forget(_ account: CalendarAccount) async throws(PhoneError) {
        switch try await place(of: account) {
        case .none, .missing: break
        case .file: try await file.forget(account.number)
        case .keyring, .lockedKeyring, .unreachableKeyring: try await keyring.forget(account.number)
        }
    }
}

/// A place that stores the passwords of one database's accounts.
package protocol PasswordKeeping: Sendable {
    /// Returns whether this place has the account's password, and can read it. Never asks the owner to unlock a
    /// keyring.
    func entry(of account: Int64) async throws(PhoneError) -> PasswordEntry
    func password(of account: Int64) async throws(PhoneError) -> String?
    /// Stores the account's password, and replaces an earlier one. A locked keyring may ask its owner to unlock it.
    func keep(_ password: String, of account: CalendarAccount) async throws(PhoneError)
    func forget(_ account: Int64) async throws(PhoneError)
}

package enum PasswordEntry: Sendable {
    case absent
    /// The keyring is locked. It may have the password.
    case locked
    case readable
}
