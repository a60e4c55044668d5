/// Makes a collection for to-dos on a server, at an address that was chosen before.
///
/// A machine without requests of its own. MKCALENDAR (RFC 4791 section 5.3.1) is sent first and then, if a server refuses that and has
/// nothing at the address, the extended MKCOL (RFC 5689). What is at the address is looked up after a refusal: servers have the same
/// status for an address that is taken (403 at Xandikos, 405 in RFC 4918, 409 at Radicale) as for a method that they do not know.
package struct CollectionMaking {
    package enum Action: Equatable, Sendable {
        case request(HTTPRequest)
        case finish(Outcome)
    }

    package enum Outcome: Equatable, Sendable {
        /// It is there: made now, or by an earlier request whose answer was lost.
        case there
        /// Something else is at the address.
        case taken
        case failed(CalDAVError)
    }

    /// What is known of the address.
    package enum Start: Sendable {
        /// It is new, and so random that a collection of this name there is ours.
        case make
        /// A request for it was sent before, and perhaps answered: what takes to-dos there is ours, whatever its name is now.
        case look
    }

    private enum Phase {
        /// Looks whether an earlier request has arrived.
        case looking
        case making(Verb)
        /// The server has refused: looks whether something is there.
        case lookingAfter(Verb)
    }

    private enum Verb {
        case calendar, collection
    }

    private let address: WebAddress
    private let name: String
    private var phase: Phase

    package init(_ address: WebAddress, name: String, _ start: Start) {
        self.address = address
        self.name = name
        phase =
            switch start {
            case .make: .making(.calendar)
            case .look: .looking
            }
    }

    /// The first action.
    package func first() -> Action {
        switch phase {
        case .looking, .lookingAfter: .request(DAVRequests.resource(address, depth: 0))
        case .making: .request(DAVRequests.makeCalendar(address, name: name))
        }
    }

    /// What follows from the answer to the request before.
    package mutating func next(after response: HTTPResponse) -> Action {
        switch phase {
        case .making(let verb): return made(response, verb)
        case .looking:
            switch response.failure(at: address) {
            case nil: return .finish(found(response) == nil ? .taken : .there)
            case .missing: return make(.calendar)
            case .some(let error): return .finish(.failed(error))
            }
        case .lookingAfter(let verb):
            switch response.failure(at: address) {
            case nil: return .finish(found(response) == name ? .there : .taken)
            // Radicale forbids to look if nothing may be made.
            case .missing, .forbidden: break
            case .some(let error): return .finish(.failed(error))
            }
            switch verb {
            case .calendar: return make(.collection)
            case .collection: return .finish(.failed(.noNewList(address: address.text)))
            }
        }
    }

    private mutating func make(_ verb: Verb) -> Action {
        phase = .making(verb)
        return switch verb {
        case .calendar: .request(DAVRequests.makeCalendar(address, name: name))
        case .collection: .request(DAVRequests.makeCollection(address, name: name))
        }
    }

    private mutating func made(_ response: HTTPResponse, _ verb: Verb) -> Action {
        // A multistatus says which property was refused, and that all was (RFC 4791 section 5.3.1, RFC 5689 section 3.3).
        if response.status != 207 {
            switch response.failure(at: address) {
            case nil: return .finish(.there)
            case .unauthorized(let place): return .finish(.failed(.unauthorized(address: place)))
            case .some(let error):
                // 501: it does not know the method.
                if error.isTemporary, response.status != 501 { return .finish(.failed(error)) }
            }
        }
        phase = .lookingAfter(verb)
        return .request(DAVRequests.resource(address, depth: 0))
    }

    /// The name of a collection for to-dos in the answer to a look; nil if it is none.
    private func found(_ response: HTTPResponse) -> String? {
        guard let answer = try? MultistatusReader.read(response.body, at: address), let own = answer.responses.first
        else {
            return nil
        }
        return RemoteCollection(own, in: address)?.name
    }
}
