import ListFeed
import Watch
import WatchLink

extension BenchCommand {
    /// The command's bytes on the bench line.
    package var frame: [UInt8] { SerialFrame.bytes(payload) }

    var payload: [UInt8] {
        do throws(CBORError) {
            return try [UInt8](capacity: BenchCommand.largest) { writer throws(CBORError) in
                try encode(into: &writer)
            }
        } catch {
            preconditionFailure("a command has at most \(BenchCommand.largest) bytes")
        }
    }
}
