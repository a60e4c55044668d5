import HostSystem

/// Why a keyring cannot give, store or remove a password.
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
