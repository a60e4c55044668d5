import CommandSupport
import Foundation
import Glibc
import TerminalWatch

struct HostMachine: Machine {
    func variable(_ name: String) -> String? {
        guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else { return nil }
        return value
    }

    var terminal: TerminalSize? { .ofStandardOutput }

    var graphics: (TerminalGraphics, because: String) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return (.none, "not a terminal") }
        let probe = GraphicsProbe(input: STDIN_FILENO, output: STDOUT_FILENO)
        return (probe.graphics, probe.why)
    }

    var user: UInt32 { getuid() }

    func names(in directory: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
    }

    func text(of file: String) -> String? {
        // Files of /proc have no size, so this reads to the end.
        guard let handle = FileHandle(forReadingAtPath: file), let data = try? handle.readToEnd() else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    func directory(_ path: String) -> DirectoryAccess {
        var status = stat()
        guard stat(path, &status) == 0 else { return absence(of: path) }
        guard status.st_mode & S_IFMT == S_IFDIR else { return .notDirectory }
        guard access(path, W_OK | X_OK) == 0 else { return .readOnly(owner: status.st_uid) }
        return .writable(owner: status.st_uid, mode: status.st_mode & 0o777)
    }

    private func absence(of path: String) -> DirectoryAccess {
        var nearest = path
        repeat {
            nearest = (nearest as NSString).deletingLastPathComponent
            if nearest.isEmpty { nearest = "." }
        } while access(nearest, F_OK) != 0
        return .absent(nearest: nearest, isWritable: access(nearest, W_OK | X_OK) == 0)
    }

    var sqliteVersion: String? {
        guard let symbol = dlsym(nil, "sqlite3_libversion") else { return nil }
        // `symbol` is the address of the C function `sqlite3_libversion`. Its type is repeated here, because the command does
        // not import the library's module.
        let version = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafePointer<CChar>?).self)
        return version().map { String(cString: $0) }
    }
}

/// The Linux machine that `tapline doctor` examines. Nothing here changes the machine.
protocol Machine: Sendable {
    func variable(_ name: String) -> String?

    var terminal: TerminalSize? { get }

    /// The graphics protocol that the terminal supports, if any, and the reason, such as `not a terminal`.
    var graphics: (TerminalGraphics, because: String) { get }

    var user: UInt32 { get }

    /// Returns the sorted names of a directory's entries; empty if the directory cannot be read.
    func names(in directory: String) -> [String]

    /// Returns the text of a small file, without line breaks at its beginning and end; nil if the file cannot be read.
    func text(of file: String) -> String?

    func directory(_ path: String) -> DirectoryAccess

    /// The version of the SQLite library; nil if the library is not loaded.
    var sqliteVersion: String? { get }
}

enum DirectoryAccess: Equatable, Sendable {
    /// Nothing exists at the path. `nearest` is the closest parent directory that exists. `isWritable` tells whether this
    /// user may create files in `nearest`.
    case absent(nearest: String, isWritable: Bool)
    case notDirectory
    /// This user may create files in the directory. `owner` is a user ID. `mode` has the nine permission bits.
    case writable(owner: UInt32, mode: UInt32)
    case readOnly(owner: UInt32)
}

extension Machine {
    var places: Places {
        var environment: [String: String] = [:]
        for name in ["HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"] { environment[name] = variable(name) }
        return Places(environment: environment, home: ".", user: user)
    }

    /// The locale that determines the encoding of text: the first of LC_ALL, LC_CTYPE and LANG that is set, as in POSIX.
    /// `C` if none is set.
    var localeName: String { variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? "C" }

    var hasUnicode: Bool {
        let name = localeName.lowercased()
        return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
    }
}
