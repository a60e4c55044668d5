/// Why an account of a calendar server cannot be used.
public enum AccountFault: Error, Equatable, Sendable {
    /// No account has this number or address.
    case unknown(query: String)
    /// There is one of this address already.
    case known(address: String)
    /// No account was added.
    case none
    /// Several accounts are fit, and none was named; each with its number.
    case several(accounts: [String])
    /// The account of this address is one collection alone.
    case singleCollection(address: String)
    /// The list is joined with the collection of this address already.
    case kept(list: String, address: String)
    /// The list was about to be put on the server of this address, and may be there.
    case begun(list: String, address: String)
    /// Another program syncs at this moment.
    case busy
    /// The password of the account of this address is nowhere.
    case noPassword(address: String)
    /// The keyring cannot give, keep or remove a password.
    case keyring(KeyringFault)
}

extension AccountFault: CustomStringConvertible {
    /// One line: what is wrong, then what to do.
    public var description: String {
        switch self {
        case .unknown(let query):
            "no account is called \"\(query)\": `tapline phone account list` shows the accounts and their numbers"
        case .known(let address): "there is an account of \(address) already: remove it first to give it anew"
        case .none: "there is no account: `tapline phone account add` adds one"
        case .several(let accounts): "name the account with --account: \(accounts.joined(separator: ", "))"
        case .singleCollection(let address):
            "the account of \(address) is one collection alone: add one with the address of the server"
        case .kept(let list, let address):
            "\(list) is kept at \(address) already: `tapline phone sync` brings both in step"
        case .begun(let list, let address):
            "\(list) may be on \(address) already, where it was about to be put: publish it there, or remove that account"
        case .busy: "another program syncs at this moment: try again when it is done"
        case .noPassword(let address):
            "the password of \(address) is neither in the file nor in the keyring: remove the account and add it again"
        case .keyring(let fault): fault.description
        }
    }
}
