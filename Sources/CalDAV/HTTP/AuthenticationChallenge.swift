/// The way in which a server takes the password of an account (RFC 9110 section 11).
package enum AuthenticationScheme: String, Sendable {
    /// The password itself, in each request (RFC 7617).
    case basic
    /// A proof that the password is known, which is worth nothing to who reads it (RFC 7616).
    case digest
}

/// What a server asks for in an answer with status 401: one of the ways that it offers.
struct AuthenticationChallenge: Equatable {
    /// In small letters.
    var scheme: String
    /// By names in small letters, without the quotes of their values.
    var parameters: [String: String] = [:]

    /// Reads the value of WWW-Authenticate: challenges, and the parameters of each, all with commas between them (RFC 9110
    /// section 11.6.1). What is no part of either is passed over.
    static func reading(_ header: String) -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        var text = Substring(header)
        while !text.isEmpty {
            let word = text.prefix(while: isOfToken)
            guard !word.isEmpty else {
                text.removeFirst()
                continue
            }
            text.removeFirst(word.count)
            let rest = text.drop { $0 == " " || $0 == "\t" }
            guard rest.first == "=", !challenges.isEmpty else {
                challenges.append(AuthenticationChallenge(scheme: word.lowercased()))
                continue
            }
            text = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            challenges[challenges.count - 1].parameters[word.lowercased()] = takeValue(&text)
        }
        return challenges
    }

    /// Takes a token, or a text in quotes, away from the beginning.
    static func takeValue(_ text: inout Substring) -> String {
        guard text.first == "\"" else {
            let value = text.prefix(while: isOfToken)
            text.removeFirst(value.count)
            return String(value)
        }
        text.removeFirst()
        var value = ""
        while let character = text.popFirst(), character != "\"" {
            // A backslash stands before a character that is meant as such.
            if character == "\\", let next = text.popFirst() { value.append(next) } else { value.append(character) }
        }
        return value
    }

    private static func isOfToken(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~/".contains(character))
    }
}
