import HostSystem

/// Why a keyring cannot give, keep or remove a password.
public enum KeyringFault: Error, Equatable, Sendable {
    /// There is no session bus, nobody has a keyring there, or it does not answer, for the reason given.
    case unreachable(reason: String)
    /// Its owner has to unlock it first.
    case locked
    /// It did not keep or remove the password, for the reason given.
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
