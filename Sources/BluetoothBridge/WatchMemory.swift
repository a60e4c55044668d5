import Foundation
import Synchronization

/// Remembers which devices have been Tapline watches. This is needed because bluetoothd does not list Tapline's service
/// after it has read the watch's services while the watch's program did not run.
///
/// The file has one line for each watch, with the addresses of the adapter and of the watch. An entry may outlive the watch's
/// keys, so ask only about devices for which the adapter has keys. If the file cannot be written, this process remembers the
/// watches until it ends.
public final class WatchMemory: Sendable {
    /// The maximum number of lines in the file, more than an adapter has bonds. The oldest lines are removed first.
    static let most = 64

    private let path: String?
    private let lines: Mutex<[String]>

    /// Makes a memory that uses the file at `path`, which is created when the first watch is remembered. If `path` is nil, only
    /// this process remembers the watches.
    public init(path: String? = nil) {
        self.path = path
        lines = Mutex([])
    }

    /// Whether this process, or another one with the same file, has remembered the device as a watch for `adapter`.
    public func contains(_ watch: BluetoothPeer, on adapter: BluetoothAddress) -> Bool {
        let line = "\(adapter) \(watch)"
        return lines.withLock { lines in
            if lines.contains(line) { return true }
            // Another process may have added the line since the last read.
            lines = read() ?? lines
            return lines.contains(line)
        }
    }

    /// Remembers a device as a watch.
    public func remember(_ watch: BluetoothPeer, on adapter: BluetoothAddress) {
        guard !contains(watch, on: adapter) else { return }
        lines.withLock { lines in
            lines.append("\(adapter) \(watch)")
            lines.removeFirst(max(0, lines.count - WatchMemory.most))
            write(lines)
        }
    }

    /// Forgets a device whose keys are gone.
    public func forget(_ watch: BluetoothPeer, on adapter: BluetoothAddress) {
        guard contains(watch, on: adapter) else { return }
        lines.withLock { lines in
            lines = (read() ?? lines).filter { $0 != "\(adapter) \(watch)" }
            write(lines)
        }
    }

    private func read() -> [String]? {
        guard let path, let data = FileManager.default.contents(atPath: path) else { return nil }
        // Reads at most the maximum size of a memory, because `path` may lead to another program's large file.
        let text = String(decoding: data.prefix(WatchMemory.most * 64), as: UTF8.self)
        return text.split(separator: "\n").prefix(WatchMemory.most).map(String.init)
    }

    private func write(_ lines: [String]) {
        guard let path else { return }
        let url = URL(fileURLWithPath: path)
        let text = lines.map { $0 + "\n" }.joined()
        try? FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        // A reader sees the old file or the new one.
        try? Data(text.utf8).write(to: url, options: .atomic)
        try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
