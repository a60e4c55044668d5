import HostSystem

/// An error of a calendar server, or of the connection to it. The description is one line: what happened and what to do.
package enum CalDAVError: Error, Equatable, Sendable {
    case address(text: String, reason: String)
    /// The server does not accept the user name and the password (HTTP 401).
    case unauthorized(address: String)
    /// The server forbids the request (HTTP 403).
    case forbidden(address: String)
    /// There is nothing at this address (HTTP 404 or 410).
    case missing(address: String)
    /// The server has no room left (HTTP 507).
    case full
    /// The server cannot answer now (HTTP 423, 429 or 503). `seconds` is the pause that it asks for; nil if it names none.
    case busy(status: Int, seconds: Int?)
    case refused(status: Int, address: String)
    /// The server redirects to HTTP, where others could read the password, or answers a write request with a redirection to
    /// another server.
    case redirected(to: String)
    /// The server redirects too often. The last address to which it redirects is `at`.
    case endlessRedirection(at: String)
    case unreachable(reason: String)
    case certificate(reason: String)
    case silent
    case halfAnswer
    case tooLarge(megabytes: Int)
    case notCalDAV(address: String)
    case noList(address: String)
    /// The account may not create a collection at this address.
    case noNewList(address: String)
    /// The program is ending, so it has ended the request.
    case stopped
}

extension CalDAVError {
    /// Whether the same request may succeed later. If not, the owner has to act.
    package var isTemporary: Bool {
        switch self {
        case .full, .busy, .unreachable, .silent, .halfAnswer, .stopped: true
        case .refused(let status, _): status >= 500
        case .address, .unauthorized, .forbidden, .missing, .redirected, .endlessRedirection, .certificate, .tooLarge,
            .notCalDAV, .noList, .noNewList:
            false
        }
    }

    /// The pause that the server asks for, in seconds; nil if it names none.
    package var pause: Int? {
        if case .busy(_, let seconds) = self { seconds } else { nil }
    }
}

extension CalDAVError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .address(let text, let reason): "\(SanitizedLine(text)) is no address of a calendar server: \(reason)"
        case .unauthorized(let address):
            "\(SanitizedLine(address)) refuses the user name or the password: give them anew with `tapline phone account add`"
        case .forbidden(let address):
            "\(SanitizedLine(address)) may not be used by this account: ask the server's administrator; nothing was deleted"
        case .missing(let address): "there is nothing at \(SanitizedLine(address)): give another address"
        case .full: "the server has no room: free some there; the changes are kept here and sent later"
        case .busy(let status, _): "the server is busy (HTTP \(status)): the changes are kept here and sent later"
        case .refused(let status, let address):
            "\(SanitizedLine(address)) answered with HTTP \(status): look at the server's log"
        case .redirected(let place):
            (try? WebAddress(place)) == nil
                ? "the server redirects to \(SanitizedLine(place)), and others could read the password there: "
                    + "give the https address of your calendars there"
                : "the server redirects to \(SanitizedLine(place)): add the account with that address"
        case .endlessRedirection(let place):
            "the server redirects in a circle at \(SanitizedLine(place)): give the whole address of your calendars, or of one"
        case .unreachable(let reason): "the server cannot be reached (\(SanitizedLine(reason))): try again later"
        case .certificate(let reason):
            "the server's certificate is not trusted (\(SanitizedLine(reason))): give its certificate file with --certificate"
        case .silent: "the server does not answer: try again later"
        case .halfAnswer: "the server's answer ended in the middle and was discarded: try again later"
        case .tooLarge(let megabytes):
            "the server's answer is longer than \(megabytes) MB and was discarded: give the address of a smaller collection"
        case .notCalDAV(let address):
            "\(SanitizedLine(address)) is no CalDAV server: give the address that its provider names for CalDAV"
        case .noList(let address): "\(SanitizedLine(address)) has no collection for to-dos: create one there first"
        case .noNewList(let address):
            "this account may not create a list at \(SanitizedLine(address)): create one with another program, then sync"
        case .stopped: "given up because the program stops"
        }
    }
}
