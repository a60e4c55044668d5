/// Why an account of a calendar server cannot be used.
public enum AccountFault: Error, Equatable, Sendable {
    /// No account has this number or address.
    case unknown(query: String)
    /// There is one of this address already.
    case known(address: String)
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
        case .busy: "another program syncs at this moment: try again when it is done"
        case .noPassword(let address):
            "the password of \(address) is neither in the file nor in the keyring: remove the account and add it again"
        case .keyring(let fault): fault.description
        }
    }
}
