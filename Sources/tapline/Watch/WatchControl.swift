import CommandSupport
import DeviceModel
import Foundation
import HostSystem
import Wormhole

/// Receives script commands for a running watch from this user's other programs, over the control socket of the watch's
/// process.
final class WatchControl: Sendable {
    /// If a reply is too long for a datagram, the script's output in the reply is cut to this number of characters. The
    /// rest of the datagram has room for every row of the list.
    private static let mostPrinted = 8_192
    private static let bytesBesidesJSON = 64

    /// The paths of the socket and of its lock file. `end()` removes both files.
    let files: [String]
    private let server: ControlServer
    private let serving: Task<Void, Never>

    /// Starts to receive commands, over a new socket in the directory `path`. Throws the errors of `SocketDirectory` and
    /// `UnixListener`, for example if another user has access to the directory.
    init(_ device: any WatchDevice, in path: String) throws(WormholeError) {
        let directory = try SocketDirectory(path: path)
        WatchControl.removeSocketsOfKilledWatches(in: directory)
        let listener = try ControlSocket.simulatedWatch(process: getpid()).listener(in: directory)
        files = [listener.path, WatchControl.lock(of: listener.path)]
        server = ControlServer(listener) { request, exchange throws(WormholeError) in
            try await exchange.reply(try await WatchControl.perform(request, on: device))
            for await request in exchange.further {
                try await exchange.reply(try await WatchControl.perform(request, on: device))
            }
        }
        serving = Task { [server] in await server.serve() }
    }

    func end() async {
        server.close()
        await serving.value
        // The name contains this process's number, so no other process uses the lock.
        files.forEach { unlink($0) }
    }

    private static func lock(of path: String) -> String { path + ".lock" }

    private static func removeSocketsOfKilledWatches(in directory: SocketDirectory) {
        for process in ControlSocket.simulatedWatches(in: directory) where process != getpid() {
            let path = ControlSocket.simulatedWatch(process: process).path(in: directory)
            // A process that still runs has the lock.
            guard let lock = try? ServiceLock(forFileAt: path) else { continue }
            unlink(path)
            unlink(WatchControl.lock(of: path))
            withExtendedLifetime(lock) {}
        }
    }

    private static func perform(
        _ request: ControlCommand, on device: any WatchDevice
    ) async throws(WormholeError) -> ControlReply {
        guard case .run(let script, let name, let directory) = request else { throw .notServed }
        // Relative paths in the script begin in the shell's directory, not in the watch's.
        let place = directory.hasSuffix("/") ? directory : directory + "/"
        let file = name.hasPrefix("/") ? name : place + name
        do {
            // A script blocks while it waits for the watch, so it runs on a thread of its own.
            return try await SystemThread.result { run(script, of: file, in: place, on: device) }
        } catch {
            return .ran(json: answer(of: device, error: "\(error)", output: nil), isDone: false)
        }
    }

    private static func run(
        _ script: String, of file: String, in directory: String, on device: any WatchDevice
    ) -> ControlReply {
        var printed = ""
        var runner = ScriptRunner(device, file: file, endsOwnRecording: false) { printed += $0 }
        var complaint: String?
        do throws(ScriptError) {
            try runner.run(script: script)
        } catch {
            let text = "\(error)"
            complaint = text.hasPrefix(directory) ? String(text.dropFirst(directory.count)) : text
        }
        var json = answer(of: device, error: complaint, output: printed.isEmpty ? nil : printed)
        // If the output is too long for a reply, its end is left out, and the answer says so.
        if json.utf8.count > ControlSocket.largestDatagram - WatchControl.bytesBesidesJSON {
            let beginning = String(printed.prefix(WatchControl.mostPrinted)) + "\n(the rest is left out)\n"
            json = answer(of: device, error: complaint, output: beginning)
        }
        return .ran(json: json, isDone: complaint == nil)
    }

    /// Returns the reply to a script as a line of JSON. `error` says why the script failed, and names the line if a line
    /// failed; nil if every line succeeded.
    private static func answer(of device: any WatchDevice, error: String?, output: String?) -> String {
        let answer: JSONObject = [
            "outcome": error == nil ? "done" : "failed", "error": error, "output": output,
            "watch": WatchReport.object(device),
        ]
        // The object has only texts and whole numbers, so encoding it does not fail.
        return (try? answer.line) ?? ""
    }
}
