import Foundation

/// Decides how the password of an account is given to its server: as the server asks, by Digest where it offers that.
///
/// A machine without requests of its own. Where nothing is known of a server, its first request has no password, so that the server says
/// how it wants it; one that is known to take Basic gets it at once, and one for Digest is asked for its challenge once a run.
struct Authentication {
    /// What follows from an answer.
    enum Verdict {
        /// It is the answer.
        case answered
        /// The same request is to be sent again, with another header.
        case again
    }

    private enum State {
        /// The server has not said what it wants.
        case unknown
        case basic
        /// It wants Digest, and its challenge is not there yet.
        case awaitingChallenge
        case digest(DigestSession)
    }

    private let credentials: AccountClient.Credentials
    private let clientNonce: @Sendable () -> String
    private var state: State

    /// - Parameters:
    ///   - scheme: what the server wanted before; nil where that is not known.
    ///   - clientNonce: random digits, other ones at each call.
    init(
        _ credentials: AccountClient.Credentials, scheme: AuthenticationScheme?,
        clientNonce: @escaping @Sendable () -> String
    ) {
        self.credentials = credentials
        self.clientNonce = clientNonce
        state =
            switch scheme {
            case nil: .unknown
            case .basic: .basic
            case .digest: .awaitingChallenge
            }
    }

    /// What the server wants, as far as is known.
    var scheme: AuthenticationScheme? {
        switch state {
        case .unknown: nil
        case .basic: .basic
        case .awaitingChallenge, .digest: .digest
        }
    }

    /// The value of the header Authorization of a request; nil for none.
    mutating func authorization(for request: HTTPRequest) -> String? {
        switch state {
        case .unknown, .awaitingChallenge: return nil
        case .basic:
            let text = Data("\(credentials.user):\(credentials.password)".utf8).base64EncodedString()
            return "Basic \(text)"
        case .digest(var session):
            let value = session.authorization(for: request)
            state = .digest(session)
            return value
        }
    }

    /// What follows from the answer to a request that had the header.
    mutating func next(after response: HTTPResponse) -> Verdict {
        guard response.status == 401 else { return accept(response) }
        let challenges = AuthenticationChallenge.reading(response.headers["www-authenticate"] ?? "")
        // A server names them in the order in which it prefers them.
        for challenge in challenges {
            guard let session = DigestSession(challenge, credentials, clientNonce: clientNonce()) else { continue }
            if case .digest = state, challenge.parameters["stale"]?.lowercased() != "true" { return .answered }
            state = .digest(session)
            return .again
        }
        let offersBasic = challenges.contains { $0.scheme == "basic" }
        switch state {
        case .basic: return .answered
        case .awaitingChallenge, .digest: if !offersBasic { return .answered }
        // What asks for nothing that is known is asked with Basic, as servers were before that said nothing.
        case .unknown: break
        }
        state = .basic
        return .again
    }

    private mutating func accept(_ response: HTTPResponse) -> Verdict {
        switch state {
        case .basic, .awaitingChallenge: break
        case .digest(var session):
            guard let header = response.headers["authentication-info"] else { break }
            session.take(authenticationInfo: header)
            state = .digest(session)
        case .unknown:
            // It asks for nothing here, and may show more to those whom it knows. Where a redirection leads, it may ask.
            if (300..<400).contains(response.status) { break }
            state = .basic
            return .again
        }
        return .answered
    }
}
