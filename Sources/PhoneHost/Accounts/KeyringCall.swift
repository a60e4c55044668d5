import CSecret

/// Calls of libsecret, each of which blocks its thread until the keyring has answered, or until another thread cancels all.
final class KeyringCall: Sendable {
    /// Where the `GCancellable` is, which any thread may use.
    private let place = UInt(bitPattern: g_cancellable_new())

    private var cancellable: UnsafeMutablePointer<GCancellable>? { UnsafeMutablePointer(bitPattern: place) }

    deinit {
        g_object_unref(cancellable)
    }

    /// Ends the call that waits, and all that follow.
    func cancel() {
        g_cancellable_cancel(cancellable)
    }

    /// Calls `body` with a connection to the session bus, which is closed again afterwards.
    func connected<Value>(_ body: (KeyringCall) throws(KeyringFault) -> Value) throws(KeyringFault) -> Value {
        var error: UnsafeMutablePointer<GError>?
        guard let bus = tapline_secret_bus(cancellable, &error) else {
            throw .unreachable(reason: KeyringCall.text(taking: error))
        }
        // Else libsecret keeps the connection, and who it has found there, for all further calls.
        defer { tapline_secret_leave(bus) }
        return try body(self)
    }

    func entry(of account: Int64, _ database: String) throws(KeyringFault) -> PasswordEntry {
        let attributes = tapline_secret_attributes(database, "\(account)")
        defer { g_hash_table_unref(attributes) }
        var error: UnsafeMutablePointer<GError>?
        let found = secret_password_searchv_sync(
            tapline_secret_schema(), attributes, SECRET_SEARCH_NONE, cancellable, &error)
        guard error == nil else { throw .unreachable(reason: KeyringCall.text(taking: error)) }
        guard let found else { return .absent }
        defer { tapline_secret_release(found) }
        return tapline_secret_is_locked(found.pointee.data) == 0 ? .readable : .locked
    }

    func password(of account: Int64, _ database: String) throws(KeyringFault) -> String? {
        let attributes = tapline_secret_attributes(database, "\(account)")
        defer { g_hash_table_unref(attributes) }
        var error: UnsafeMutablePointer<GError>?
        let password = secret_password_lookupv_sync(tapline_secret_schema(), attributes, cancellable, &error)
        guard error == nil else { throw .unreachable(reason: KeyringCall.text(taking: error)) }
        defer { secret_password_free(password) }
        return password.map { String(cString: $0) }
    }

    func keep(_ password: String, of account: Int64, _ database: String, label: String) throws(KeyringFault) {
        let attributes = tapline_secret_attributes(database, "\(account)")
        defer { g_hash_table_unref(attributes) }
        var error: UnsafeMutablePointer<GError>?
        // Nil is the collection that the owner has made the usual one.
        let isKept = secret_password_storev_sync(
            tapline_secret_schema(), attributes, nil, label, password, cancellable, &error)
        guard isKept != 0 else { throw .refused(reason: KeyringCall.text(taking: error)) }
    }

    func forget(_ account: Int64, _ database: String) throws(KeyringFault) {
        let attributes = tapline_secret_attributes(database, "\(account)")
        defer { g_hash_table_unref(attributes) }
        var error: UnsafeMutablePointer<GError>?
        // False without an error says that there was none.
        _ = secret_password_clearv_sync(tapline_secret_schema(), attributes, cancellable, &error)
        guard error == nil else { throw .refused(reason: KeyringCall.text(taking: error)) }
    }

    /// What an error says, which is released.
    private static func text(taking error: UnsafeMutablePointer<GError>?) -> String {
        guard let error else { return "it says no reason" }
        defer { g_error_free(error) }
        return String(cString: error.pointee.message)
    }
}
