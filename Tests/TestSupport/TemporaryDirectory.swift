import Foundation

/// A directory that only this user may enter. It is removed when this object is released.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init(in place: String? = nil) {
        // The path is short, because the path of a socket may have at most 107 bytes.
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
