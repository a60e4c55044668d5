/// Where the password of an account is.
package enum PasswordPlace: String, Sendable {
    /// The server asks for none.
    case none
    case file
    case keyring
    case lockedKeyring = "keyring, locked"
    /// It is not in the file, and the keyring cannot be reached.
    case unreachableKeyring = "keyring, unreachable"
    /// It is neither in the file nor in the keyring.
    case missing
}

/// The passwords of the accounts of a database: each in the keyring or, where there is none, in a file.
///
/// One that is in the file counts, and stays there until its account is removed.
package struct AccountPasswords: Sendable {
    /// Where a new password is to be kept.
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

    /// The file beside a database, and the keyring of this session.
    package init(besideDatabase database: String) {
        self.init(file: PasswordFile(besideDatabase: database), keyring: Keyring(ofDatabase: database))
    }

    /// Where the password of an account is.
    ///
    /// - Throws: `.file` where the file cannot be read.
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

    /// The password of an account; nil of one without a user.
    ///
    /// - Throws: `.account` where it cannot be had, `.file` where the file cannot be read.
    package func password(of account: CalendarAccount) async throws(PhoneError) -> String? {
        guard account.user != nil else { return nil }
        if let password = try await file.password(of: account.number) { return password }
        if let password = try await keyring.password(of: account.number) { return password }
        throw .account(.noPassword(address: account.address))
    }

    /// Keeps the password of a new account.
    ///
    /// - Parameter choice: nil for the keyring where there is one, else the file.
    /// - Returns: where it is now.
    /// - Throws: `.account(.keyring)` where there is a keyring that does not take it, `.file` where the file cannot be written.
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
        // One of an account that had this number would count.
        try await file.forget(account.number)
        return .keyring
    }

    /// Removes the password of an account from where it is.
    ///
    /// - Throws: `.account(.keyring)` where it may be in a keyring that is locked or out of reach.
    package func forget(_ account: CalendarAccount) async throws(PhoneError) {
        switch try await place(of: account) {
        case .none, .missing: break
        case .file: try await file.forget(account.number)
        case .keyring, .lockedKeyring, .unreachableKeyring: try await keyring.forget(account.number)
        }
    }
}
