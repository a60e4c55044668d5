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
