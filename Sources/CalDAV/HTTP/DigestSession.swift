import Crypto
import Foundation

/// Proves to a server, request by request, that the password of an account is known (RFC 7616). Made from a challenge.
struct DigestSession: Equatable {
    /// The hashes that are known, by their names in challenges.
    private enum Hash: String {
        case md5 = "md5"
        case md5OfSession = "md5-sess"
        case sha256 = "sha-256"
        case sha256OfSession = "sha-256-sess"

        /// Whether the key is one of the session, so that a server that checks it need not know the password's own hash.
        var isOfSession: Bool {
            switch self {
            case .md5, .sha256: false
            case .md5OfSession, .sha256OfSession: true
            }
        }

        /// The hash of a text, in hexadecimal digits.
        func callAsFunction(_ parts: String...) -> String {
            let data = Data(parts.joined(separator: ":").utf8)
            return switch self {
            case .md5, .md5OfSession: DigestSession.digits(Insecure.MD5.hash(data: data))
            case .sha256, .sha256OfSession: DigestSession.digits(SHA256.hash(data: data))
            }
        }
    }

    private let user: String
    private let realm: String
    private let opaque: String?
    private let hash: Hash
    /// The name of the hash as the server has written it; nil where it has not.
    private let algorithm: String?
    /// Whether the server wants the count of requests to be a part of the proof; servers of before 1999 do not.
    private let quality: String?
    /// The hash of user and password.
    private let key: String
    private let clientNonce: String
    private var nonce: String
    /// How many requests had this nonce.
    private var count = 0

    /// - Parameters:
    ///   - challenge: the server's.
    ///   - clientNonce: random digits, new ones for each session.
    /// - Returns: nil for a challenge that is none of Digest, or one that cannot be met.
    init?(
        _ challenge: AuthenticationChallenge, _ credentials: AccountClient.Credentials,
        clientNonce: @autoclosure () -> String
    ) {
        let given = challenge.parameters
        guard challenge.scheme == "digest", let realm = given["realm"], let nonce = given["nonce"],
            let hash = Hash(rawValue: given["algorithm"]?.lowercased() ?? Hash.md5.rawValue)
        else { return nil }
        let qualities = given["qop"].map { $0.split { $0 == "," || $0 == " " }.map { $0.lowercased() } }
        guard qualities?.contains("auth") ?? true else { return nil }
        self.hash = hash
        self.realm = realm
        self.nonce = nonce
        self.clientNonce = clientNonce()
        quality = qualities.map { _ in "auth" }
        algorithm = given["algorithm"]
        opaque = given["opaque"]
        user = credentials.user
        let secret = hash(credentials.user, realm, credentials.password)
        key = hash.isOfSession ? hash(secret, nonce, self.clientNonce) : secret
    }

    /// The value of the header Authorization of the next request.
    mutating func authorization(for request: HTTPRequest) -> String {
        count += 1
        let path = request.address.path
        let target = hash(request.method.rawValue, path)
        var parts = [
            "username=\(quoted(user))", "realm=\(quoted(realm))", "uri=\(quoted(path))", "nonce=\(quoted(nonce))",
        ]
        if let algorithm { parts.append("algorithm=\(algorithm)") }
        if let quality {
            let digits = String(count, radix: 16)
            let number = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
            let response = hash(key, nonce, number, clientNonce, quality, target)
            parts += [
                "nc=\(number)", "cnonce=\(quoted(clientNonce))", "qop=\(quality)", "response=\(quoted(response))",
            ]
        } else {
            parts.append("response=\(quoted(hash(key, nonce, target)))")
        }
        if let opaque { parts.append("opaque=\(quoted(opaque))") }
        return "Digest " + parts.joined(separator: ", ")
    }

    /// Takes the nonce that the server wants the next request to have, where an answer names one (RFC 7616 section 3.5).
    mutating func take(authenticationInfo header: String) {
        // Its parameters are those of a challenge without a name.
        let parts = AuthenticationChallenge.reading("Digest \(header)").first
        guard let next = parts?.parameters["nextnonce"], next != nonce else { return }
        nonce = next
        count = 0
    }

    private func quoted(_ text: String) -> String {
        let plain = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
        return "\"" + plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static func digits(_ digest: some Digest) -> String {
        digest.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }
}
