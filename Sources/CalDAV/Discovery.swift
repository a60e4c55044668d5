/// A server's collection that accepts to-dos.
package struct RemoteCollection: Equatable, Sendable {
    package var address: WebAddress
    /// The display name. If there is none, the last part of the path.
    package var name: String
    /// The sync token (RFC 6578), which changes if any item of the collection changes. Nil if the server gives none.
    package var syncToken: String?
}

package enum AccountPlace: Equatable, Sendable {
    /// The collection at this address directly contains all collections of the account.
    case home(WebAddress)
    case collection(WebAddress)

    package var address: WebAddress {
        switch self {
        case .home(let address), .collection(let address): address
        }
    }
}

/// Finds the to-do collections of an account (RFC 6764 section 6, RFC 5397, RFC 4791 section 6.2.1). The search begins at an
/// address that a person typed, or at the place that an earlier search found.
///
/// The typed address may be that of a collection, of the server, or of a resource that names the user's collections.
///
/// It is a state machine. The caller sends the requests.
package struct Discovery {
    package enum Action: Equatable, Sendable {
        case request(HTTPRequest)
        case found(AccountPlace, [RemoteCollection])
        case failed(CalDAVError)
    }

    private enum Step {
        case given
        case wellKnown
        case principal
        case home
    }

    private let given: WebAddress
    private var step = Step.given
    private var homes: Set<WebAddress> = []
    /// An address in the user's `calendar-home-set` at which there is no collection for to-dos. Nil if the search has found no
    /// such address.
    private var emptyHome: WebAddress?
    /// The steps that are left, with the address that each step asks. The last element is the next step.
    private var left: [(Step, WebAddress)]
    private var reason: CalDAVError

    package init(_ given: WebAddress) {
        self.given = given
        reason = .notCalDAV(address: given.text)
        let wellKnown = (Step.wellKnown, given.with(path: "/.well-known/caldav"))
        let root = (Step.given, given.with(path: "/"))
        let here = (Step.given, given)
        left = given.path == "/" ? [here, wellKnown] : [root, wellKnown, here]
    }

    package init(in place: AccountPlace) {
        switch place {
        case .home(let address):
            given = address
            left = [(.home, address)]
            homes = [address]
        case .collection(let address):
            given = address
            left = [(.given, address)]
        }
        reason = .missing(address: given.text)
    }

    /// Returns the action for the next step. The caller calls this once, to begin.
    package mutating func next() -> Action {
        guard let (step, address) = left.popLast() else {
            return emptyHome.map { .found(.home($0), []) } ?? .failed(reason)
        }
        self.step = step
        let depth = step == .home ? 1 : 0
        return .request(DAVRequests.resource(address, depth: depth))
    }

    /// Returns the action that follows an answer. `address` is the address that gave the answer, after any redirections.
    package mutating func next(after response: HTTPResponse, from address: WebAddress) -> Action {
        do throws(CalDAVError) {
            if let error = response.failure(at: address) { throw error }
            return follow(try MultistatusReader.read(response.body, at: address), address)
        } catch {
            return next(after: error)
        }
    }

    package mutating func next(after error: CalDAVError) -> Action {
        switch error {
        case .unauthorized, .full, .busy, .address, .unreachable, .certificate, .silent, .halfAnswer, .tooLarge,
            .noList, .noNewList, .stopped:
            return .failed(error)
        // The first error is kept, because a server without CalDAV answers most requests with 404.
        case .missing, .refused: break
        case .notCalDAV: if case .missing = reason { reason = error }
        case .forbidden, .redirected, .endlessRedirection: reason = error
        }
        return next()
    }

    private mutating func follow(_ answer: Multistatus, _ address: WebAddress) -> Action {
        switch step {
        case .home:
            let lists = answer.responses.compactMap { RemoteCollection($0, in: address) }
            guard lists.isEmpty else { return .found(.home(address), lists) }
            reason = .noList(address: address.text)
            if homes.contains(address), !answer.responses.isEmpty { emptyHome = address }
            return next()
        case .given, .wellKnown, .principal:
            guard let own = answer.responses.first else { return next() }
            if let list = RemoteCollection(own, in: address) { return .found(.collection(list.address), [list]) }
            let homes = own.properties.calendarHomes.compactMap { address.resolving($0) }
            if let home = homes.first {
                self.homes.insert(home)
                left.append((.home, home))
                return next()
            }
            // The address names no user. The collections may be inside it.
            if step == .given, address.path != "/" { left.append((.home, address)) }
            if step != .principal, let link = own.properties.principal, let principal = address.resolving(link) {
                left.append((.principal, principal))
            }
            return next()
        }
    }
}

extension RemoteCollection {
    /// Reads a collection from a part of an answer; nil if the part describes no collection that accepts to-dos. `address` is
    /// the address that gave the answer.
    init?(_ response: Multistatus.Response, in address: WebAddress) {
        let properties = response.properties
        guard properties.types.contains("calendar"), properties.components?.contains("VTODO") ?? true,
            var place = address.resolving(response.href)
        else { return nil }
        if !place.path.hasSuffix("/") { place = place.with(path: place.path + "/") }
        let last = place.path.split(separator: "/").last.map(String.init) ?? place.host
        self.init(
            address: place, name: properties.displayName.flatMap { $0.isEmpty ? nil : $0 } ?? last,
            syncToken: properties.syncToken)
    }
}
