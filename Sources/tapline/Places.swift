import Foundation

/// The default paths of Tapline's files and sockets.
struct Places: Equatable, Sendable {
    /// The directory of the phone's database and the watch's flash.
    let data: String
    let sockets: String

    /// The usual paths of the user `user`, by the XDG base directory specification, which ignores a variable that is not an
    /// absolute path.
    ///
    /// - Parameters:
    ///   - environment: the variables; only HOME, XDG_DATA_HOME and XDG_RUNTIME_DIR count.
    ///   - home: the home directory if HOME is not set.
    init(environment: [String: String], home: String, user: UInt32) {
        let home = Places.absolute(environment["HOME"]) ?? home
        let data = Places.absolute(environment["XDG_DATA_HOME"]) ?? "\(home)/.local/share"
        self.data = "\(data)/tapline"
        sockets = Places.absolute(environment["XDG_RUNTIME_DIR"]).map { "\($0)/tapline" } ?? "/tmp/tapline-\(user)"
    }

    /// The usual paths of this process's user.
    static let usual = Places(
        environment: ProcessInfo.processInfo.environment, home: NSHomeDirectory(), user: getuid())

    var database: String { "\(data)/phone.sqlite" }

    /// The file of `WatchMemory`: the Bluetooth devices that were watches.
    var watches: String { "\(data)/watches" }

    var flash: String { "\(data)/watch.flash" }

    /// The flash of the watch whose firmware runs in an emulator.
    var firmwareFlash: String { "\(data)/firmware-flash.bin" }

    private static func absolute(_ path: String?) -> String? {
        guard var path, path.hasPrefix("/") else { return nil }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
