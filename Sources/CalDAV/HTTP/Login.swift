/// How a server takes the password of an account (RFC 9110 section 11).
package enum AuthenticationScheme: Hashable, Sendable {
    /// The password itself, in each request (RFC 7617).
    case basic
    /// A proof of the password, useless to an eavesdropper (RFC 7616).
    case digest
}

/// The user and the password that a request may give to its server.
package struct Login: Equatable, Sendable {
    package var user: String
    package var password: String
    /// Nil if the server has not said yet: the transport then asks without a password first, and prefers Digest.
    package var scheme: AuthenticationScheme?

    package init(user: String, password: String, scheme: AuthenticationScheme? = nil) {
        self.user = user
        self.password = password
        self.scheme = scheme
    }
}
