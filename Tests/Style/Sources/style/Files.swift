import Foundation

/// The text of the file at `path` from `top` on.
func text(of path: String, below top: URL) throws -> String {
    try String(contentsOf: top.appending(path: path), encoding: .utf8)
}

/// The paths, from `top` on, of the files of a kind in the three places and the tests, without what a build wrote.
func paths(below top: URL, of kind: String) -> [String] {
    files(below: top).filter { $0.hasSuffix(".\(kind)") }
}

/// The paths, from `top` on, of the files in the three places and the tests and of those at the top.
func everyFile(below top: URL) -> [String] {
    files(below: top) + ((try? FileManager.default.contentsOfDirectory(atPath: top.path)) ?? [])
}

private func files(below top: URL) -> [String] {
    var paths: [String] = []
    for folder in ["Hardware", "Simulator", "Sources", "Tests"] {
        let options: FileManager.DirectoryEnumerationOptions = [.skipsHiddenFiles]
        let folderURL = top.appending(path: folder)
        let walk = FileManager.default.enumerator(at: folderURL, includingPropertiesForKeys: nil, options: options)
        for case let file as URL in walk ?? FileManager.DirectoryEnumerator() {
            paths.append(
                String(file.standardizedFileURL.path.dropFirst(top.path.count)).trimmingPrefix("/").description)
        }
    }
    return paths.sorted()
}
