import FoundationEssentials
import WatchLink

/// The sources of a package, by which it is known whether they are those that were counted.
package struct PackageSources: Sendable {
    /// The package's own directory.
    package let directory: String

    package init(directory: String) {
        self.directory = directory
    }

    /// The endings of what is compiled, or decides how.
    private static let endings: Set<Substring> = [
        "swift", "c", "h", "cc", "cpp", "hpp", "m", "s", "S", "inc", "modulemap",
    ]

    /// A checksum for each source of the package, by its path below the package's directory.
    ///
    /// - Parameter places: folders, whose sources are at any depth, and single files.
    package func checksums(of places: [String]) -> [String: UInt32] {
        var checksums: [String: UInt32] = [:]
        for place in places {
            let isFolder = isFolder(place)
            let sources = paths(below: place, depth: PackageSources.deepest).filter { path in
                path.split(separator: ".").last.map(PackageSources.endings.contains) ?? false
            }
            for path in isFolder ? sources : [place] {
                guard let bytes = FileManager.default.contents(atPath: "\(directory)/\(path)") else { continue }
                checksums[path] = CRC32.checksum(of: Array(bytes).span)
            }
        }
        return checksums
    }

    /// The most folders within one another: a link may lead back to one above it.
    private static let deepest = 24

    /// The paths of all files below a folder. Links are followed, as the compiler does.
    private func paths(below folder: String, depth: Int) -> [String] {
        guard depth > 0, let names = try? FileManager.default.contentsOfDirectory(atPath: "\(directory)/\(folder)")
        else {
            return []
        }
        return names.flatMap { name in
            let path = "\(folder)/\(name)"
            return isFolder(path) ? paths(below: path, depth: depth - 1) : [path]
        }
    }

    private func isFolder(_ path: String) -> Bool {
        var isDirectory = false
        return FileManager.default.fileExists(atPath: "\(directory)/\(path)", isDirectory: &isDirectory) && isDirectory
    }

    /// The first source that is not as it was when it was counted, or was not there, or is gone; nil if all are.
    package func firstChange(since counts: HandlerCounts) -> String? {
        let present = checksums(of: counts.places)
        return Set(present.keys).union(counts.sources.keys).sorted().first { present[$0] != counts.sources[$0] }
    }

    /// The package that a source file belongs to: the nearest directory above it that has a manifest; nil if there is none.
    package static func around(_ file: String) -> PackageSources? {
        var directory = file
        while let slash = directory.lastIndex(of: "/"), slash != directory.startIndex {
            directory = String(directory[..<slash])
            if FileManager.default.fileExists(atPath: "\(directory)/Package.swift") {
                return PackageSources(directory: directory)
            }
        }
        return nil
    }

    /// What was counted in the package that a source file belongs to.
    ///
    /// - Throws: `.counts`, as `counts()`.
    static func counts(around file: String) throws(TapLatencyError) -> HandlerCounts {
        guard let package = around(file) else {
            throw .counts("nobody has counted it, and \(file) is in no package: run tapline count in its package")
        }
        return try package.counts()
    }

    /// What was counted in the package.
    ///
    /// - Throws: `.counts` if it was not, or not for these sources, or the file is none that this version reads.
    package func counts() throws(TapLatencyError) -> HandlerCounts {
        let path = "\(directory)/\(HandlerCounts.fileName)"
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw .counts("nobody has counted it: run tapline count --package \(directory)")
        }
        guard let counts = try? JSONDecoder().decode(HandlerCounts.self, from: bytes),
            counts.format == HandlerCounts.currentFormat, counts.isSound
        else { throw .counts("\(path) is none that this version reads: run tapline count --package \(directory)") }
        if let file = firstChange(since: counts) {
            throw .counts("\(file) has changed since it was counted: run tapline count --package \(directory)")
        }
        return counts
    }
}
