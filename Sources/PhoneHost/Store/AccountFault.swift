import HostSystem

/// A reason why the phone cannot add, find, sync or remove a calendar account, or cannot publish a list to it.
public enum AccountFault: Error, Equatable, Sendable {
    /// No account has this number or address.
    case unknown(query: String)
    /// An account with this address already exists.
    case known(address: String)
    /// There are no accounts.
    case none
    /// Several accounts can take a published list, and the owner named none. Each string is an account's number and
    /// address, as in `1 (https://cloud.example.org/)`.
    case several(accounts: [String])
    /// The account consists of a single collection, so the phone cannot publish another list to it.
    case singleCollection(address: String)
    /// The list is already connected with the collection at this address.
    case connected(list: String, address: String)
    /// An earlier attempt to publish the list to the account with this address may have created a collection there. Now
    /// the owner wants to publish the list to a different account.
    case begun(list: String, address: String)
    /// Another process is syncing the accounts of this database, or publishing a list. It did not finish while this
    /// process waited.
    case busy
    /// The password of the account with this address is neither in the password file nor in the keyring.
    case noPassword(address: String)
    /// The keyring cannot give, store or remove a password.
    case keyring(KeyringFault)
}

extension AccountFault: CustomStringConvertible {
    /// One line: what is wrong, then what to do.
    public var description: String {
        switch self {
        case .unknown(let query):
            "no account is called \"\(query)\": `tapline phone account list` shows the accounts and their numbers"
        case .known(let address): "an account of \(address) already exists: remove it before you add it again"
        case .none: "there is no account: `tapline phone account add` adds one"
        case .several(let accounts): "name the account with --account: \(accounts.joined(separator: ", "))"
        case .singleCollection(let address):
            "the account of \(address) is a single collection: add an account with the server's address"
        case .connected(let list, let address):
            "\(list) is kept at \(address) already: `tapline phone sync` brings both in step"
        case .begun(let list, let address):
            "\(list) may be on \(address) after an earlier attempt: publish it there, or remove that account"
        case .busy: "another program syncs at this moment: try again when it is done"
        case .noPassword(let address):
            "the password of \(address) is neither in the file nor in the keyring: remove the account and add it again"
        case .keyring(let fault): fault.description
        }
    }
}

/// A reason why a keyring cannot give, store or remove a password.
public enum KeyringFault: Error, Equatable, Sendable {
    /// There is no session bus, or no keyring on it, or the keyring does not answer.
    case unreachable(reason: String)
    /// The owner must unlock the keyring first.
    case locked
    /// The keyring did not store or remove the password, for this reason.
    case refused(reason: String)
}

extension KeyringFault: CustomStringConvertible {
    /// One line: what is wrong, then what to do.
    public var description: String {
        switch self {
        case .unreachable(let reason):
            "the keyring cannot be reached (\(SanitizedLine(reason))): run this in your desktop session, "
                + "or remove the account and add it with --password-in file"
        case .locked:
            "the keyring is locked: unlock it, or remove the account and add it with --password-in file"
        case .refused(let reason):
            "the keyring refuses (\(SanitizedLine(reason))): unlock it, or add the account with --password-in file"
        }
    }
}
