import Foundation

/// The text of the file at `path` from `top` on.
func text(of path: String, below top: URL) throws -> String {
    try String(contentsOf: top.appending(path: path), encoding: .utf8)
}

/// The paths, from `top` on, of the files of a kind in the three places and the tests, without what a build wrote.
func paths(below top: URL, of kind: String) -> [String] {
    var paths: [String] = []
    for folder in ["Hardware", "Simulator", "Sources", "Tests"] {
        let options: FileManager.DirectoryEnumerationOptions = [.skipsHiddenFiles]
        let folderURL = top.appending(path: folder)
        let walk = FileManager.default.enumerator(at: folderURL, includingPropertiesForKeys: nil, options: options)
        for case let file as URL in walk ?? FileManager.DirectoryEnumerator() where file.pathExtension == kind {
            paths.append(
                String(file.standardizedFileURL.path.dropFirst(top.path.count)).trimmingPrefix("/").description)
        }
    }
    return paths.sorted()
}
