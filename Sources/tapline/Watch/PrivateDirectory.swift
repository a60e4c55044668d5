import CommandSupport
import Foundation
import HostSystem

/// A temporary directory, which is removed when this object is destroyed.
final class PrivateDirectory: Sendable {
    let path: String

    /// Creates the directory in XDG_RUNTIME_DIR, or else in /tmp. Only this user may enter it. With `isCleanedUp`, the
    /// directory is also removed if a signal ends the program.
    init(isCleanedUp: Bool = true) throws(CommandFailure) {
        let place = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var failure: CInt = 0
        for parent in [place, "/tmp"].compactMap(\.self) {
            var template = Array("\(parent)/tapline-script.XXXXXX".utf8CString)
            if mkdtemp(&template) != nil {
                path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if isCleanedUp { ExitCleanup.remove(path) }
                return
            }
            failure = errno
        }
        throw CommandFailure(
            "no directory for the script's files can be made in /tmp: \(String(cString: strerror(failure)))")
    }

    deinit { remove() }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Removes the directory. A second call does nothing.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
        ExitCleanup.forget(path)
    }
}
