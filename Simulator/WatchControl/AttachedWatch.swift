import Wormhole

/// A running watch of another process.
package struct AttachedWatch: Sendable {
    /// The process that it runs in.
    package let process: Int32
    private let channel: any DatagramTransport

    /// Connects to a watch.
    ///
    /// - Parameters:
    ///   - path: the directory of its sockets.
    ///   - process: the process that it runs in; nil for the only one there is.
    /// - Throws: `.noWatch`, `.severalWatches`, `.notAWatch`, `.sockets`.
    package init(in path: String, process chosen: Int32?) async throws(WatchControlError) {
        // One that is not there is not made for that.
        guard ControlDirectory.isThere(path) else { throw .noWatch(directory: path) }
        let directory = try ControlDirectory(path: path)
        let running = directory.running
        if let chosen {
            guard running.contains(chosen) else { throw .notAWatch(process: chosen, running: running) }
            process = chosen
        } else {
            guard let first = running.first else { throw .noWatch(directory: path) }
            guard running.count == 1 else { throw .severalWatches(running) }
            process = first
        }
        do throws(WormholeError) {
            channel = try await UnixConnector(
                path: directory.path(of: process), largestDatagram: ControlRequest.largest
            ).connect()
        } catch {
            throw .sockets(error)
        }
    }

    /// Has it run lines of a script, and returns its answer: one line of JSON with the keys of `ControlAnswer`.
    ///
    /// - Parameters:
    ///   - name: of the script, for errors.
    ///   - directory: in which the names of files in it begin.
    /// - Throws: `.tooLong`, `.ended`, `.strangeAnswer`, `.sockets`.
    package func run(
        _ script: String, name: String, directory: String
    ) async throws(WatchControlError) -> (line: [UInt8], outcome: ControlAnswer.Outcome) {
        let request = ControlRequest(directory: directory, name: name, script: script).datagram
        guard request.count <= ControlRequest.largest else {
            throw .tooLong(bytes: request.count, limit: ControlRequest.largest)
        }
        let line: [UInt8]
        do throws(WormholeError) {
            try await channel.send(request)
            line = try await channel.receive()
        } catch {
            throw error == .closed ? .ended : .sockets(error)
        }
        guard let outcome = ControlAnswer.outcome(in: line) else { throw .strangeAnswer }
        return (line, outcome)
    }

    package func close() { channel.close() }
}
