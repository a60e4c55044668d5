import Foundation
import WatchLink

/// The sent and received files of one end. They are real files, because the simulated disk serves only SQLite.
final class FileFolder {
    struct Visible {
        let name: String
        let bytes: [UInt8]
    }

    let incoming: String
    private let outgoing: String
    private let root: String

    init(_ name: String) {
        // If there is a file system in memory, a simulation needs no disk.
        let shared = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        root = "\(shared)/tapline-soak-\(getpid())-\(UInt64.random(in: .min ... .max))-\(name)"
        (incoming, outgoing) = (root + "/in", root + "/out")
        for directory in [incoming, outgoing] {
            do {
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            } catch {
                preconditionFailure("a directory for the soak's files cannot be made: \(error)")
            }
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    func add(_ bytes: [UInt8], as name: String) -> String {
        let path = outgoing + "/" + name
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
            preconditionFailure("a file of the soak cannot be written")
        }
        return path
    }

    var visible: [Visible] {
        names.filter { !$0.hasPrefix(".") }.map { Visible(name: $0, bytes: contents(of: $0)) }
    }

    /// Simulates a power loss. The end of each unsynced `.part` file may be lost or become zeros, as `random` decides.
    func losePower(_ random: inout SplitMix64) {
        for name in names where name.hasSuffix(".part") {
            let path = incoming + "/" + name
            var information = stat()
            // A file with a second hard link was synced before it got the link.
            guard stat(path, &information) == 0, information.st_nlink == 1, information.st_size > 0 else { continue }
            let kept = Int(random.next() % UInt64(information.st_size + 1))
            switch random.next() % 3 {
            case 0: break
            case 1: truncate(path, off_t(kept))
            case _:
                let zeros = [UInt8](repeating: 0, count: Int(information.st_size) - kept)
                let file = open(path, O_WRONLY | O_CLOEXEC)
                _ = pwrite(file, zeros, zeros.count, off_t(kept))
                close(file)
            }
        }
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: incoming)) ?? []).sorted()
    }

    private func contents(of name: String) -> [UInt8] {
        FileManager.default.contents(atPath: incoming + "/" + name).map { Array($0) } ?? []
    }
}
