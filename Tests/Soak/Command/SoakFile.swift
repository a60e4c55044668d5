import HostSystem
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
        do throws(Errno) {
            return String(decoding: try FileDescriptor.bytes(ofFile: path, atMost: SoakFile.mostBytes), as: UTF8.self)
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
