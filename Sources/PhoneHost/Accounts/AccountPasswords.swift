package enum PasswordPlace: String, Sendable {
    case none
    case file
    case keyring
    case lockedKeyring = "keyring, locked"
    /// The file does not have the password, and the keyring cannot be reached.
    case unreachableKeyring = "keyring, unreachable"
    /// Neither the file nor the keyring has the password.
    case missing
}

/// The passwords of a database's accounts, each in the keyring or in a file.
///
/// A password in the file takes precedence, and stays there until its account is removed.
package struct AccountPasswords: Sendable {
    /// The place for a new password.
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

    /// Uses the file beside a database and the keyring of this session.
    package init(besideDatabase database: String) {
        self.init(file: PasswordFile(besideDatabase: database), keyring: Keyring(ofDatabase: database))
    }

    /// - Throws: `.file` if the file cannot be read.
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

    /// The password of an account; nil if the account has no user.
    ///
    /// - Throws: `.account` if the password is unavailable, `.file` if the file cannot be read.
    package func password(of account: CalendarAccount) async throws(PhoneError) -> String? {
        guard account.user != nil else { return nil }
        if let password = try await file.password(of: account.number) { return password }
        if let password = try await keyring.password(of: account.number) { return password }
        throw .account(.noPassword(address: account.address))
    }

    /// Stores the password of a new account.
    ///
    /// - Parameter choice: nil selects the keyring if it can be reached, otherwise the file.
    /// - Returns: the place that has the password now.
    /// - Throws: `.account(.keyring)` if the keyring rejects the password, `.file` if the file cannot be written.
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
        // A file entry of an earlier account with this number would take precedence.
        try await file.forget(account.number)
        return .keyring
    }

    /// Removes the password of an account.
    ///
    /// - Throws: `.account(.keyring)` if the password may be in a keyring that is locked or cannot be reached.
    package func forget(_ account: CalendarAccount) async throws(PhoneError) {
        switch try await place(of: account) {
        case .none, .missing: break
        case .file: try await file.forget(account.number)
        case .keyring, .lockedKeyring, .unreachableKeyring: try await keyring.forget(account.number)
        }
    }
}

/// Stores the passwords of the accounts of one database.
package protocol PasswordKeeping: Sendable {
    /// The state of an account's password. Does not ask the owner for anything.
    func entry(of account: Int64) async throws(PhoneError) -> PasswordEntry
    /// nil if there is none.
    func password(of account: Int64) async throws(PhoneError) -> String?
    /// Replaces the password. A keyring may ask its owner to unlock it.
    func keep(_ password: String, of account: CalendarAccount) async throws(PhoneError)
    /// Removes the password, if there is one.
    func forget(_ account: Int64) async throws(PhoneError)
}

/// The state of an account's password in one place.
package enum PasswordEntry: Sendable {
    case absent
    /// The password is unreadable until the owner unlocks the keyring.
    case locked
    case readable
}
