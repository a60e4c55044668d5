import Synchronization

@testable import PhoneHost

final class PasswordsInMemory: PasswordKeeping {
    enum State {
        case open
        case locked
        case unreachable
        case refusing
    }

    private struct Contents {
        var state: State
        var passwords: [Int64: String] = [:]
    }

    private let contents: Mutex<Contents>

    init(_ state: State = .open) {
        contents = Mutex(Contents(state: state))
    }

    var passwords: [Int64: String] { contents.withLock { $0.passwords } }

    func become(_ state: State) {
        contents.withLock { $0.state = state }
    }

    func entry(of account: Int64) throws(PhoneError) -> PasswordEntry {
        let contents = try reached()
        guard contents.passwords[account] != nil else { return .absent }
        return switch contents.state {
        case .locked: .locked
        case .open, .unreachable, .refusing: .readable
        }
    }

    func password(of account: Int64) throws(PhoneError) -> String? {
        if try entry(of: account) == .locked { throw .account(.keyring(.locked)) }
        return passwords[account]
    }

    func keep(_ password: String, of account: CalendarAccount) throws(PhoneError) {
        switch try reached().state {
        case .locked, .refusing: throw .account(.keyring(.refused(reason: "it does not want to")))
        case .open, .unreachable: contents.withLock { $0.passwords[account.number] = password }
        }
    }

    func forget(_ account: Int64) throws(PhoneError) {
        if try entry(of: account) == .locked { throw .account(.keyring(.locked)) }
        contents.withLock { $0.passwords[account] = nil }
    }

    private func reached() throws(PhoneError) -> Contents {
        let contents = contents.withLock { $0 }
        switch contents.state {
        case .unreachable: throw .account(.keyring(.unreachable(reason: "no keyring answers")))
        case .open, .locked, .refusing: return contents
        }
    }
}
