import Foundation

package struct Places: Equatable, Sendable {
    /// The directory of the phone's database and the watch's flash.
    package let data: String
    package let sockets: String

    /// Follows the XDG base directory specification: a variable counts only if it is an absolute path. `home` is the home
    /// directory if HOME does not count.
    package init(environment: [String: String], home: String, user: UInt32) {
        let home = Places.absolute(environment["HOME"]) ?? home
        let data = Places.absolute(environment["XDG_DATA_HOME"]) ?? "\(home)/.local/share"
        self.data = "\(data)/tapline"
        sockets = Places.absolute(environment["XDG_RUNTIME_DIR"]).map { "\($0)/tapline" } ?? "/tmp/tapline-\(user)"
    }

    package static let usual = Places(
        environment: ProcessInfo.processInfo.environment, home: NSHomeDirectory(), user: getuid())

    package var database: String { "\(data)/phone.sqlite" }

    /// The file in which `WatchMemory` remembers the Bluetooth devices that were watches.
    package var watches: String { "\(data)/watches" }

    package var flash: String { "\(data)/watch.flash" }

    private static func absolute(_ path: String?) -> String? {
        guard var path, path.hasPrefix("/") else { return nil }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
