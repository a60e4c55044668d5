import Foundation

/// Finds the bus of the user's session. A library would start a bus if there is none; Tapline does not.
enum SessionBus {
    /// Whether this process has a session bus, by the rules of the D-Bus specification.
    ///
    /// - Parameter isOwnSocket: whether this user has a socket at a path.
    static func isThere(
        _ environment: [String: String] = ProcessInfo.processInfo.environment,
        isOwnSocket: (String) -> Bool = SessionBus.isOwnSocket
    ) -> Bool {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] {
            return !address.isEmpty && !address.contains("autolaunch:") && !address.hasPrefix("disabled:")
        }
        guard let directory = environment["XDG_RUNTIME_DIR"], !directory.isEmpty else { return false }
        return isOwnSocket("\(directory)/bus")
    }

    private static func isOwnSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == geteuid()
    }
}
