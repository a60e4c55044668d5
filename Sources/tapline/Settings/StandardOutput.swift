import HostSystem
import SystemPackage

/// What the command prints where a program may read it.
enum StandardOutput {
    /// Writes all of a text. It is no error when the reader is gone.
    static func write(_ text: String) throws(OutputError) {
        do {
            try FileDescriptor.standardOutput.writeAll(text.utf8)
        } catch let error as Errno where error == .brokenPipe {
            return
        } catch {
            throw OutputError(reason: "\(error)")
        }
    }
}

/// What was printed is not all there.
struct OutputError: Error, Equatable, CustomStringConvertible {
    let reason: String

    var description: String { "cannot write to the standard output: \(reason)" }
}
