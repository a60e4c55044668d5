/// Creates a collection for to-dos at a given address. The caller sends the requests.
///
/// It sends MKCALENDAR first (RFC 4791 section 5.3.1). If the server refuses, and the address is free, it sends the extended
/// MKCOL (RFC 5689). After each refusal it looks at the address, because one status has several meanings. An address that is
/// taken gives 403 at Xandikos, 405 in RFC 4918 and 409 at Radicale; an unknown method may give the same.
package struct CollectionMaking {
    package enum Action: Equatable, Sendable {
        case request(HTTPRequest)
        case finish(Outcome)
    }

    package enum Outcome: Equatable, Sendable {
        /// The collection exists: created now, or by an earlier request whose answer was lost.
        case there
        case taken
        case failed(CalDAVError)
    }

    package enum Start: Sendable {
        /// The address is new. It is so random that a collection of this name there must be ours.
        case make
        /// An earlier request may have arrived. A collection for to-dos at the address is then ours, whatever its name.
        case look
    }

    private enum Phase {
        /// Checks whether an earlier request has arrived.
        case looking
        case making(Verb)
        /// The server has refused this verb. Checks whether the address is already taken.
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

    package func first() -> Action {
        switch phase {
        case .looking, .lookingAfter: .request(DAVRequests.resource(address, depth: 0))
        case .making: .request(DAVRequests.makeCalendar(address, name: name))
        }
    }

    /// The action after the answer to the request before.
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
            // Radicale forbids this look if the account may not create anything.
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
        // A multistatus names the refused property; all has failed then (RFC 4791 section 5.3.1, RFC 5689 section 3.3).
        if response.status != 207 {
            switch response.failure(at: address) {
            case nil: return .finish(.there)
            case .unauthorized(let place): return .finish(.failed(.unauthorized(address: place)))
            case .some(let error):
                // 501: the server does not know the method.
                if error.isTemporary, response.status != 501 { return .finish(.failed(error)) }
            }
        }
        phase = .lookingAfter(verb)
        return .request(DAVRequests.resource(address, depth: 0))
    }

    /// The name of the collection for to-dos in the answer; nil if there is none.
    private func found(_ response: HTTPResponse) -> String? {
        guard let answer = try? MultistatusReader.read(response.body, at: address), let own = answer.responses.first
        else {
            return nil
        }
        return RemoteCollection(own, in: address)?.name
    }
}
