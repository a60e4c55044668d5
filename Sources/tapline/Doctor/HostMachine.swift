import CommandSupport
import Foundation
import Glibc
import TerminalWatch

/// The machine that this process runs on.
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
        // Files of /proc have no size, so they are read to their end.
        guard let handle = FileHandle(forReadingAtPath: file), let data = try? handle.readToEnd() else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    func command(_ name: String) -> String? {
        let places = (variable("PATH") ?? "/usr/bin:/bin").split(separator: ":")
        return places.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
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
        return .absent(nearest: nearest, access(nearest, W_OK | X_OK) == 0 ? .writable : .readOnly)
    }

    var sqliteVersion: String? {
        guard let symbol = dlsym(nil, "sqlite3_libversion") else { return nil }
        // The symbol is that C function, whose type this repeats. The command does not import the module of the library.
        let version = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafePointer<CChar>?).self)
        return version().map { String(cString: $0) }
    }
}
