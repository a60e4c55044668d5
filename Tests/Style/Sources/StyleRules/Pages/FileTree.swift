/// The files of the repository and the folders that hold them.
public struct FileTree: Sendable {
    /// Every path of a file or a folder, from the repository's top.
    private let paths: Set<String>
    /// Every name of a file or a folder.
    let names: Set<String>

    /// The tree of the files at `files`, paths from the repository's top.
    public init(files: [String]) {
        var paths: Set<String> = []
        var names: Set<String> = []
        for file in files {
            let parts = file.split(separator: "/")
            for count in 1...max(1, parts.count) { paths.insert(parts.prefix(count).joined(separator: "/")) }
            names.formUnion(parts.map(String.init))
        }
        self.paths = paths
        self.names = names
    }

    /// Whether a file or a folder is at `path`, from `folder` on.
    func has(path: String, from folder: String) -> Bool {
        var parts: [Substring] = []
        for part in "\(folder)/\(path)".split(separator: "/") {
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
        return parts.isEmpty || paths.contains(parts.joined(separator: "/"))
    }
}
