import Foundation

/// Where the bus of the user's session is. None is ever started: a library would start one where there is none.
enum SessionBus {
    /// Whether there is one for this process, as the D-Bus specification finds it.
    ///
    /// - Parameters:
    ///   - environment: the variables of this process.
    ///   - isOwnSocket: whether there is a socket of this user at a path.
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
