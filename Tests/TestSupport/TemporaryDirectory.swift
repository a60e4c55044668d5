import Foundation

/// A directory that only this user enters, removed with the object.
package final class TemporaryDirectory: Sendable {
    package let path: String

    /// - Parameter place: the directory that it is in; nil for the one that the environment names.
    package init(in place: String? = nil) {
        // Short, because a socket's path has at most 107 bytes.
        path = "\(place ?? FileManager.default.temporaryDirectory.path)/tl-\(UInt32.random(in: 1 ... .max))"
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            fatalError("\(path) cannot be made: \(error)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String) -> String { "\(path)/\(name)" }
}
