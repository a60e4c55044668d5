import Glibc
import HostSystem

/// A directory into which files are received, with what earlier links have left in it.
///
/// Beside the files there are, under names that begin with a dot and that no label has: for each transfer that is not complete a
/// file with what has arrived, for each of the last that are a file with the name that the file got, so that a sender that has
/// not heard of it does not send it again, and for each of the last that somebody here has cancelled an empty one, for the same reason.
package struct FileDirectory: Sendable {
    let path: String
    let system: FileSystem

    static let prefix = ".tapline-"
    static let partEnding = ".part"
    static let finishedEnding = ".done"
    static let cancelledEnding = ".cancelled"

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

    /// Removes the oldest of what is left of transfers, beyond the numbers that are kept.
    ///
    /// - Parameter used: the names of those that are under way.
    func tidy(except used: Set<String>) throws(WormholeError) {
        let names = try system.names(in: path, beginningWith: FileDirectory.prefix).filter { !used.contains($0) }
        try keepNewest(TransferLimits.mostParts, of: names.filter { $0.hasSuffix(FileDirectory.partEnding) })
        try keepNewest(TransferLimits.mostFinished, of: names.filter { $0.hasSuffix(FileDirectory.finishedEnding) })
        try keepNewest(TransferLimits.mostCancelled, of: names.filter { $0.hasSuffix(FileDirectory.cancelledEnding) })
    }

    private func keepNewest(_ count: Int, of names: [String]) throws(WormholeError) {
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
