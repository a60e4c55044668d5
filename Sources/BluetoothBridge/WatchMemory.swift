import Foundation
import Synchronization

/// The devices that were watches: what bluetoothd forgets when a watch's program ends while its machine goes on answering.
/// It then reads the machine's services anew, and ours is not among them.
///
/// It is a file with a line for each watch, the adapter's address and the watch's. It is only believed for a device that the
/// adapter has keys for. If it cannot be written, the watches are remembered until this process ends.
public final class WatchMemory: Sendable {
    /// The lines of the file: more than an adapter has bonds. The oldest go first.
    static let most = 64

    private let path: String?
    private let lines: Mutex<[String]>

    /// The memory in the file at `path`, created when the first watch is remembered; nil for this process only.
    public init(path: String? = nil) {
        self.path = path
        lines = Mutex([])
    }

    /// Whether a device was a watch.
    public func contains(_ watch: BluetoothPeer, on adapter: BluetoothAddress) -> Bool {
        let line = "\(adapter) \(watch)"
        return lines.withLock { lines in
            if lines.contains(line) { return true }
            // Another process may have remembered it since.
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

    /// Forgets a device that there are no keys for any more.
    public func forget(_ watch: BluetoothPeer, on adapter: BluetoothAddress) {
        guard contains(watch, on: adapter) else { return }
        lines.withLock { lines in
            lines = (read() ?? lines).filter { $0 != "\(adapter) \(watch)" }
            write(lines)
        }
    }

    private func read() -> [String]? {
        guard let path, let data = FileManager.default.contents(atPath: path) else { return nil }
        // A file of somebody else's is of no use, and need not be read whole.
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
