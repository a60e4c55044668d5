import CSecret

/// Calls libsecret. Each call blocks its thread until the keyring answers, or until another thread calls `cancel()`.
final class KeyringCall: Sendable {
    /// The address of a `GCancellable`, which every thread may use.
    private let address = UInt(bitPattern: g_cancellable_new())

    private var cancellable: UnsafeMutablePointer<GCancellable>? { UnsafeMutablePointer(bitPattern: address) }

    deinit {
        g_object_unref(cancellable)
    }

    /// Ends the running call, and makes later calls fail.
    func cancel() {
        g_cancellable_cancel(cancellable)
    }

    func connected<Value>(_ body: (KeyringCall) throws(KeyringFault) -> Value) throws(KeyringFault) -> Value {
        var error: UnsafeMutablePointer<GError>?
        guard let bus = tapline_secret_bus(cancellable, &error) else {
            throw .unreachable(reason: KeyringCall.text(taking: error))
        }
        // Without this, libsecret would reuse the connection, and the keyring found on it, for all later calls.
        defer { tapline_secret_leave(bus) }
        return try body(self)
    }

    func entry(of account: Int64, _ database: String) throws(KeyringFault) -> PasswordEntry {
        let found = try call(account, database, { .unreachable(reason: $0) }) { attributes, error in
            secret_password_searchv_sync(tapline_secret_schema(), attributes, SECRET_SEARCH_NONE, cancellable, error)
        }
        guard let found else { return .absent }
        defer { tapline_secret_release(found) }
        return tapline_secret_is_locked(found.pointee.data) == 0 ? .readable : .locked
    }

    func password(of account: Int64, _ database: String) throws(KeyringFault) -> String? {
        let password = try call(account, database, { .unreachable(reason: $0) }) { attributes, error in
            secret_password_lookupv_sync(tapline_secret_schema(), attributes, cancellable, error)
        }
        defer { secret_password_free(password) }
        return password.map { String(cString: $0) }
    }

    func keep(_ password: String, of account: Int64, _ database: String, label: String) throws(KeyringFault) {
        // A nil collection means the owner's default one.
        let isStored = try call(account, database, { .refused(reason: $0) }) { attributes, error in
            secret_password_storev_sync(
                tapline_secret_schema(), attributes, nil, label, password, cancellable, error)
        }
        guard isStored != 0 else { throw .refused(reason: KeyringCall.text(taking: nil)) }
    }

    func forget(_ account: Int64, _ database: String) throws(KeyringFault) {
        // If the result is false and there is no error, the keyring had no password.
        _ = try call(account, database, { .refused(reason: $0) }) { attributes, error in
            secret_password_clearv_sync(tapline_secret_schema(), attributes, cancellable, error)
        }
    }

    private func call<Value>(
        _ account: Int64, _ database: String, _ fault: (String) -> KeyringFault,
        _ body: (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value
    ) throws(KeyringFault) -> Value {
        let attributes = tapline_secret_attributes(database, "\(account)")
        defer { g_hash_table_unref(attributes) }
        var error: UnsafeMutablePointer<GError>?
        let value = body(attributes, &error)
        guard error == nil else { throw fault(KeyringCall.text(taking: error)) }
        return value
    }

    /// Returns the message of an error, and releases the error.
    private static func text(taking error: UnsafeMutablePointer<GError>?) -> String {
        guard let error else { return "it gives no reason" }
        defer { g_error_free(error) }
        return String(cString: error.pointee.message)
    }
}
