/// Keeps the passwords of the accounts of one database.
package protocol PasswordKeeping: Sendable {
    /// What there is of an account's password. Nobody is asked for anything.
    func entry(of account: Int64) async throws(PhoneError) -> PasswordEntry
    /// Nil where none is kept.
    func password(of account: Int64) async throws(PhoneError) -> String?
    /// Keeps a password in the place of the one before. A keyring may ask its owner to unlock it.
    func keep(_ password: String, of account: CalendarAccount) async throws(PhoneError)
    /// Removes the password of an account, where there is one.
    func forget(_ account: Int64) async throws(PhoneError)
}

/// What there is of an account's password in one place.
package enum PasswordEntry: Sendable {
    case absent
    /// It cannot be read until the owner unlocks it.
    case locked
    case readable
}
