/// Creates a to-do collection on a calendar server. This state machine makes the requests, and the caller sends them.
///
/// The first method is MKCALENDAR (RFC 4791 section 5.3.1). If the server refuses it although the address is free, extended
/// MKCOL follows (RFC 5689).
///
/// After each refusal, a further request checks whether the address is taken, because the status of the refusal does not show
/// this. If the address is taken, Xandikos answers 403, RFC 4918 demands 405, and Radicale answers 409. Each of these statuses
/// can also mean that the server does not know the method.
package struct CollectionMaking {
    package enum Action: Equatable, Sendable {
        case request(HTTPRequest)
        case finish(Outcome)
    }

    package enum Outcome: Equatable, Sendable {
        /// The collection exists. It was created now, or by an earlier request whose answer was lost.
        case there
        case taken
        case failed(CalDAVError)
    }

    package enum Start: Sendable {
        /// Create the collection at once. The caller has chosen the address at random, and has sent no request to it before.
        ///
        /// If the server answers with an error, but has a collection of the right name at the address, the phone's request has
        /// created that collection.
        case make
        /// First ask whether the collection exists, because an earlier request without an answer may have created it. Any to-do
        /// collection at the address counts as created by the phone.
        case check
    }

    private enum Phase {
        /// Waits for the answer that shows whether an earlier request has created the collection.
        case checking
        case making(Verb)
        /// The server has refused this method. Waits for the answer that shows whether the address is taken.
        case checkingAfter(Verb)
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
            case .check: .checking
            }
    }

    package func first() -> Action {
        switch phase {
        case .checking, .checkingAfter: .request(DAVRequests.resource(address, depth: 0))
        case .making: .request(DAVRequests.makeCalendar(address, name: name))
        }
    }

    package mutating func next(after response: HTTPResponse) -> Action {
        switch phase {
        case .making(let verb): return made(response, verb)
        case .checking:
            switch response.failure(at: address) {
            case nil: return .finish(found(response) == nil ? .taken : .there)
            case .missing: return make(.calendar)
            case .some(let error): return .finish(.failed(error))
            }
        case .checkingAfter(let verb):
            switch response.failure(at: address) {
            case nil: return .finish(found(response) == name ? .there : .taken)
            // Radicale answers 403 here if the account may not create anything.
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
        // A multistatus names the refused property, and nothing was created (RFC 4791 section 5.3.1, RFC 5689 section 3.3).
        if response.status != 207 {
            switch response.failure(at: address) {
            case nil: return .finish(.there)
            case .unauthorized(let place): return .finish(.failed(.unauthorized(address: place)))
            case .some(let error):
                // 501: the server does not know the method.
                if error.isTemporary, response.status != 501 { return .finish(.failed(error)) }
            }
        }
        phase = .checkingAfter(verb)
        return .request(DAVRequests.resource(address, depth: 0))
    }

    /// Reads the collection's name from an answer; nil if the address has no to-do collection.
    private func found(_ response: HTTPResponse) -> String? {
        guard let answer = try? MultistatusReader.read(response.body, at: address), let own = answer.responses.first
        else {
            return nil
        }
        return RemoteCollection(own, in: address)?.name
    }
}
