import Glibc
import HostSystem

/// A directory into which files are received, with what earlier links have left in it.
///
/// Beside the files there is for each transfer that is not complete a file with what has arrived, under a name that begins with a
/// dot and that no label has.
package struct FileDirectory: Sendable {
    let path: String
    let system: FileSystem

    static let prefix = ".tapline-"
    static let partEnding = ".part"

    /// - Throws: `.system` where it is no directory, or cannot be read.
    package init(path: String, system: FileSystem) throws(WormholeError) {
        self.path = path
        self.system = system
        _ = try system.names(in: path, beginningWith: FileDirectory.prefix)
    }

    /// The path of a name in it.
    func path(of name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

    /// Writes the names in it to the disk.
    func synchronize() throws(WormholeError) {
        try system.synchronize(try system.open(path, O_RDONLY | O_DIRECTORY))
    }

    /// Removes the oldest of what is left of transfers, beyond the number that is kept.
    ///
    /// - Parameter used: the names of those that are under way.
    func tidy(except used: Set<String>) throws(WormholeError) {
        let count = TransferLimits.mostParts
        let names = try system.names(in: path, beginningWith: FileDirectory.prefix)
            .filter { !used.contains($0) && $0.hasSuffix(FileDirectory.partEnding) }
        guard names.count > count else { return }
        let ages = names.map { name in
            var information = stat()
            // One that is gone meanwhile is the oldest.
            _ = lstat(path(of: name), &information)
            return (name, information.st_mtim.tv_sec, information.st_mtim.tv_nsec)
        }
        let oldest = ages.sorted { ($0.1, $0.2, $0.0) < ($1.1, $1.2, $1.0) }.prefix(names.count - count)
        for (name, _, _) in oldest { try system.remove(path(of: name)) }
    }
}
