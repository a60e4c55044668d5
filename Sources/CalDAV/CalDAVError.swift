import HostSystem

/// Every error of a calendar server, or of the way to it. The description is one line that says what happened and what to do.
package enum CalDAVError: Error, Equatable, Sendable {
    /// The address is none that can be used, for the reason given.
    case address(text: String, reason: String)
    /// The user name or the password is wrong (401).
    case unauthorized(address: String)
    /// The user may not do this (403).
    case forbidden(address: String)
    /// There is nothing at this address (404, 410).
    case missing(address: String)
    /// The server has no room (507).
    case full
    /// The server asks to come back later (423, 429, 503), after this number of seconds if it says so.
    case busy(status: Int, seconds: Int?)
    /// The server failed, or refused in another way.
    case refused(status: Int, address: String)
    /// It leads to another place that gets no password and no change.
    case redirected(to: String)
    /// It leads from place to place, the last of which is this.
    case endlessRedirection(at: String)
    /// The server's name is unknown, or nobody listens.
    case unreachable(reason: String)
    /// The certificate of the server is not one that this machine trusts, for the reason given.
    case certificate(reason: String)
    /// Nothing came for as long as one waits.
    case silent
    /// The answer ended before it was whole.
    case halfAnswer
    /// The answer is longer than this number of megabytes.
    case tooLarge(megabytes: Int)
    /// What answered is no CalDAV server.
    case notCalDAV(address: String)
    /// The server has no collection that takes to-dos.
    case noList(address: String)
    /// The server lets nobody of this account make a collection at this address.
    case noNewList(address: String)
    /// The request was given up because the program stops.
    case stopped
}

extension CalDAVError {
    /// Whether the same request may succeed later. If not, the owner has to do something.
    package var isTemporary: Bool {
        switch self {
        case .full, .busy, .unreachable, .silent, .halfAnswer, .stopped: true
        case .refused(let status, _): status >= 500
        case .address, .unauthorized, .forbidden, .missing, .redirected, .endlessRedirection, .certificate, .tooLarge,
            .notCalDAV, .noList,
            .noNewList:
            false
        }
    }

    /// How long the server asks to wait, in seconds; nil if it does not say.
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
            "\(SanitizedLine(address)) may not be used by this account: ask whoever runs the server; nothing was deleted"
        case .missing(let address): "there is nothing at \(SanitizedLine(address)): give another address"
        case .full: "the server has no room: free some there; the changes are kept here and sent later"
        case .busy(let status, _): "the server is busy (HTTP \(status)): the changes are kept here and sent later"
        case .refused(let status, let address):
            "\(SanitizedLine(address)) answered with HTTP \(status): look at the server's log"
        case .redirected(let place):
            (try? WebAddress(place)) == nil
                ? "the server leads to \(SanitizedLine(place)), where the password could be read on the way: "
                    + "give the https address of your calendars there"
                : "the server leads to \(SanitizedLine(place)): add the account with that address"
        case .endlessRedirection(let place):
            "the server leads in a circle at \(SanitizedLine(place)): give the whole address of your calendars or of one of them"
        case .unreachable(let reason): "the server cannot be reached (\(SanitizedLine(reason))): try again later"
        case .certificate(let reason):
            "the server's certificate is not trusted (\(SanitizedLine(reason))): name the file of its own with --certificate"
        case .silent: "the server does not answer: try again later"
        case .halfAnswer: "the server's answer ended in the middle and was discarded: try again later"
        case .tooLarge(let megabytes):
            "the server's answer is longer than \(megabytes) MB and was discarded: give the address of a smaller collection"
        case .notCalDAV(let address):
            "\(SanitizedLine(address)) is no CalDAV server: give the address that its provider names for CalDAV"
        case .noList(let address): "\(SanitizedLine(address)) has no collection for to-dos: create one there first"
        case .noNewList(let address):
            "the server lets this account make no list at \(SanitizedLine(address)): make one there by other means, then sync"
        case .stopped: "given up because the program stops"
        }
    }
}
