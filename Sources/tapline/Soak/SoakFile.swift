import Soak
import SystemPackage

/// A file that a soak is given.
struct SoakFile {
    let path: String

    private static let mostBytes = 256 << 20

    /// What `parse` makes of its text.
    func read<Value>(_ parse: (String) throws(SoakError) -> Value) throws(SoakFileError) -> Value {
        let text = try text()
        do throws(SoakError) {
            return try parse(text)
        } catch {
            throw SoakFileError(path: path, reason: error.description)
        }
    }

    private func text() throws(SoakFileError) -> String {
        do {
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
            return try file.closeAfter {
                var bytes: [UInt8] = []
                var chunk = [UInt8](repeating: 0, count: 1 << 16)
                while true {
                    let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
                    guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
                    guard bytes.count + count <= SoakFile.mostBytes else { throw Errno.fileTooLarge }
                    bytes += chunk[..<count]
                }
            }
        } catch {
            throw SoakFileError(path: path, reason: "cannot be read (\(error))")
        }
    }
}

/// A file of which a soak can make nothing. The description is one line that says what to do.
struct SoakFileError: Error, Equatable, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path): \(reason)" }
}
