import Glibc
import HostSystem

/// A directory for received files. Until a transfer is complete, its content is in a hidden file of this directory. The name of
/// a hidden file begins with a dot. A label never begins with a dot.
package struct FileDirectory: Sendable {
    let path: String
    let system: FileSystem

    static let prefix = ".tapline-"
    static let partEnding = ".part"

    package init(path: String, system: FileSystem) throws(WormholeError) {
        self.path = path
        self.system = system
        _ = try system.names(in: path, beginningWith: FileDirectory.prefix)
    }

    func path(of name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

    func synchronize() throws(WormholeError) {
        try system.synchronize(try system.open(path, O_RDONLY | O_DIRECTORY))
    }

    func tidy(except used: Set<String>) throws(WormholeError) {
        let count = TransferLimits.mostParts
        let names = try system.names(in: path, beginningWith: FileDirectory.prefix)
            .filter { !used.contains($0) && $0.hasSuffix(FileDirectory.partEnding) }
        guard names.count > count else { return }
        let ages = names.map { name in
            var information = stat()
            // A file that has vanished meanwhile counts as the oldest.
            _ = lstat(path(of: name), &information)
            return (name, information.st_mtim.tv_sec, information.st_mtim.tv_nsec)
        }
        let oldest = ages.sorted { ($0.1, $0.2, $0.0) < ($1.1, $1.2, $1.0) }.prefix(names.count - count)
        for (name, _, _) in oldest { try system.remove(path(of: name)) }
    }
}
