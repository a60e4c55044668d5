import Foundation

/// The usual paths of Tapline's files and sockets.
package struct Places: Equatable, Sendable {
    /// The directory of the phone's database and the watch's flash.
    package let data: String
    package let sockets: String

    /// Finds the usual paths by the XDG base directory specification, by which a variable counts only if it is an absolute
    /// path.
    ///
    /// - Parameters:
    ///   - environment: the variables HOME, XDG_DATA_HOME and XDG_RUNTIME_DIR.
    ///   - home: the home directory if HOME is not set.
    ///   - user: the user's number.
    package init(environment: [String: String], home: String, user: UInt32) {
        let home = Places.absolute(environment["HOME"]) ?? home
        let data = Places.absolute(environment["XDG_DATA_HOME"]) ?? "\(home)/.local/share"
        self.data = "\(data)/tapline"
        sockets = Places.absolute(environment["XDG_RUNTIME_DIR"]).map { "\($0)/tapline" } ?? "/tmp/tapline-\(user)"
    }

    /// The paths for the user of this process.
    package static let usual = Places(
        environment: ProcessInfo.processInfo.environment, home: NSHomeDirectory(), user: getuid())

    package var database: String { "\(data)/phone.sqlite" }

    /// The file in which `WatchMemory` keeps the Bluetooth devices that are watches.
    package var watches: String { "\(data)/watches" }

    package var flash: String { "\(data)/watch.flash" }

    private static func absolute(_ path: String?) -> String? {
        guard var path, path.hasPrefix("/") else { return nil }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
