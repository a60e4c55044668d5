import Glibc

/// Where a program is found, by the rules of posix_spawnp(3).
package enum ProgramSearch {
    /// Why there is no such program.
    package enum Fault: Error, Equatable, Sendable {
        /// Nothing has this path.
        case missing
        /// What has it is no file, or may not be executed.
        case notExecutable
        /// No directory of PATH has an executable file of this name.
        case notInPath
    }

    /// Where the system looks where PATH is not set: glibc's confstr(_CS_PATH), as of version 2.24.
    private static let usualDirectories = "/bin:/usr/bin"

    /// Looks for a program.
    ///
    /// - Parameters:
    ///   - name: its path, where it has a slash, or else its name.
    ///   - directories: the variable PATH, whose empty parts mean the working directory; nil where it is not set.
    package static func check(_ name: String, in directories: String?) throws(Fault) {
        guard !name.utf8.contains(UInt8(ascii: "/")) else {
            guard exists(name) else { throw .missing }
            guard isExecutable(name) else { throw .notExecutable }
            return
        }
        let places = (directories ?? usualDirectories).split(separator: ":", omittingEmptySubsequences: false)
        guard !name.isEmpty, places.contains(where: { isExecutable($0.isEmpty ? "./\(name)" : "\($0)/\(name)") }) else {
            throw .notInPath
        }
    }

    private static func exists(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0
    }

    private static func isExecutable(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
