import Foundation
import Glibc

/// A directory that only this user enters, removed with the object.
final class TemporaryDirectory: Sendable {
    let path: String

    /// - Parameter place: the directory that it is in.
    init(in place: String = "/tmp") throws {
        var template = Array((place + "/bridge-benchmark-XXXXXX").utf8CString)
        guard let path = template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        self.path = String(cString: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
