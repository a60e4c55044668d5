import Foundation

package struct Places: Equatable, Sendable {
    /// The directory that has the phone's database and the file with the watch's flash.
    package let data: String
    package let sockets: String

    /// Follows the XDG Base Directory Specification, and so ignores a variable whose value is not an absolute path. If HOME is
    /// unset or ignored, uses `home` instead.
    package init(environment: [String: String], home: String, user: UInt32) {
        let home = Places.absolute(environment["HOME"]) ?? home
        let data = Places.absolute(environment["XDG_DATA_HOME"]) ?? "\(home)/.local/share"
        self.data = "\(data)/tapline"
        sockets = Places.absolute(environment["XDG_RUNTIME_DIR"]).map { "\($0)/tapline" } ?? "/tmp/tapline-\(user)"
    }

    package static let usual = Places(
        environment: ProcessInfo.processInfo.environment, home: NSHomeDirectory(), user: getuid())

    package var database: String { "\(data)/phone.sqlite" }

    /// The file in which `WatchMemory` records which Bluetooth devices are watches.
    package var watches: String { "\(data)/watches" }

    package var flash: String { "\(data)/watch.flash" }

    private static func absolute(_ path: String?) -> String? {
        guard var path, path.hasPrefix("/") else { return nil }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
