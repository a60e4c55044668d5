import CalDAV
import Crypto
import Foundation
import Synchronization

/// Stands before a server in memory and asks for the user `ann` with the password `secret`, by Basic, Digest or both.
package final class ChallengingServer: HTTPTransport {
    private struct State {
        var offers: [AuthenticationScheme]
        var nonce = 1
        /// How often the nonce was used.
        var uses = 0
        var requests: [HTTPRequest] = []
    }

    private let server: InMemoryCalendarServer
    private let usesOfNonce: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - offers: the ways in which it takes the password, the preferred one first.
    ///   - usesOfNonce: how many requests a nonce is good for; the next one with it is told that it is stale.
    package init(_ server: InMemoryCalendarServer, offers: [AuthenticationScheme], usesOfNonce: Int = .max) {
        self.server = server
        self.usesOfNonce = usesOfNonce
        state = Mutex(State(offers: offers))
    }

    /// The requests that have arrived.
    package var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Takes the password in other ways from now on.
    package func offer(_ offers: [AuthenticationScheme]) {
        state.withLock { $0.offers = offers }
    }

    package func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse {
        if let refusal = state.withLock({ refusal(of: request, &$0) }) { return refusal }
        return try server.answer(request).get()
    }

    private func refusal(of request: HTTPRequest, _ state: inout State) -> HTTPResponse? {
        state.requests.append(request)
        let header = request.headers["Authorization"] ?? ""
        if header == "Basic \(Data("ann:secret".utf8).base64EncodedString())", state.offers.contains(.basic) {
            return nil
        }
        guard header.hasPrefix("Digest "), state.offers.contains(.digest), isProof(header, of: request) else {
            return challenge(state, isStale: false)
        }
        guard ChallengingServer.value("nonce", in: header) == "\(state.nonce)", state.uses < usesOfNonce else {
            state.nonce += 1
            state.uses = 0
            return challenge(state, isStale: true)
        }
        state.uses += 1
        // Nobody repeats a request of somebody else.
        let count = String(state.uses, radix: 16)
        guard ChallengingServer.value("nc", in: header).hasSuffix(count) else { return HTTPResponse(status: 400) }
        return nil
    }

    private func challenge(_ state: State, isStale: Bool) -> HTTPResponse {
        let challenges = state.offers.map { scheme in
            switch scheme {
            case .basic: #"Basic realm="Lists, all", charset="UTF-8""#
            case .digest:
                #"Digest realm="Lists, all", qop="auth,auth-int", nonce="\#(state.nonce)", opaque="x", stale=\#(isStale)"#
            }
        }
        return HTTPResponse(status: 401, headers: ["www-authenticate": challenges.joined(separator: ", ")])
    }

    private func isProof(_ header: String, of request: HTTPRequest) -> Bool {
        let (nonce, count) = (ChallengingServer.value("nonce", in: header), ChallengingServer.value("nc", in: header))
        let client = ChallengingServer.value("cnonce", in: header)
        let user = ChallengingServer.hash("ann:Lists, all:secret")
        let target = ChallengingServer.hash("\(request.method.rawValue):\(request.address.path)")
        return ChallengingServer.value("response", in: header)
            == ChallengingServer.hash("\(user):\(nonce):\(count):\(client):auth:\(target)")
    }

    private static func value(_ name: String, in header: String) -> String {
        let parts = header.dropFirst("Digest ".count).split(separator: ", ")
        let part = parts.first { $0.hasPrefix("\(name)=") }?.dropFirst(name.count + 1) ?? ""
        return String(part).replacing("\"", with: "")
    }

    private static func hash(_ text: String) -> String {
        Insecure.MD5.hash(data: Data(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
