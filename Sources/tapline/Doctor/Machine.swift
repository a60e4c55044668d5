import CommandSupport
import TerminalWatch

/// What the doctor can learn about a machine, without changing anything on it.
protocol Machine: Sendable {
    /// The value of an environment variable, or nil where it is not set or empty.
    func variable(_ name: String) -> String?

    /// The size of the terminal that standard output is, or nil where it is none.
    var terminal: TerminalSize? { get }

    /// The pictures that it draws, and why, as the end of a line.
    var graphics: (TerminalGraphics, because: String) { get }

    var user: UInt32 { get }

    /// The names in a directory, sorted; none where there is no such directory.
    func names(in directory: String) -> [String]

    /// The text of a small file, without the line end at its end, or nil where it cannot be read.
    func text(of file: String) -> String?

    /// Where a command is found on PATH, or nil.
    func command(_ name: String) -> String?

    /// The access that this user has to a directory.
    func directory(_ path: String) -> DirectoryAccess

    /// The version of the SQLite library in this process, or nil where there is none.
    var sqliteVersion: String? { get }
}

/// What stands at the path of a directory.
enum DirectoryAccess: Equatable, Sendable {
    /// Nothing. `nearest` is the directory above it that exists.
    case absent(nearest: String, NearestAccess)
    /// Something else than a directory.
    case notDirectory
    /// A directory in which this user may make files: its owner and the nine bits of its mode.
    case writable(owner: UInt32, mode: UInt32)
    /// A directory in which this user may not.
    case readOnly(owner: UInt32)

    /// Whether this user may make a directory in another one.
    enum NearestAccess: Equatable, Sendable {
        case writable
        case readOnly
    }
}

extension Machine {
    /// Where the phone's list, the watch's flash and the sockets are on this machine.
    var places: Places {
        var environment: [String: String] = [:]
        for name in ["HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"] { environment[name] = variable(name) }
        return Places(environment: environment, home: ".", user: user)
    }
}
