import Foundation

/// Finds out whether the user's session has a D-Bus bus. Libraries would start one; Tapline does not.
enum SessionBus {
    /// Whether this process can reach a session bus, by the rules of the D-Bus specification.
    ///
    /// - Parameter isOwnSocket: tells whether a path is a socket of this user.
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
