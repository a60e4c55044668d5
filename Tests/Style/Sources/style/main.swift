import Foundation
import StyleRules

// style [TOP]: checks the Swift files of the repository at TOP; prints what breaks a rule and exits 1 if something does.
// style --folders [TOP]: prints every use that makes two folders refer to each other, the excepted ones too.

var arguments = CommandLine.arguments.dropFirst()
let rules: [any Rule]
if arguments.first == "--folders" {
    arguments.removeFirst()
    rules = [FolderDirection.withoutExceptions]
} else {
    rules = houseRules
}
let top = URL(fileURLWithPath: arguments.first ?? ".", isDirectory: true).standardizedFileURL
var files: [SourceFile] = []
for path in swiftFiles(below: top) {
    do {
        files.append(SourceFile(path: path, text: try String(contentsOf: top.appending(path: path), encoding: .utf8)))
    } catch {
        print("\(path):1: readable: not a UTF-8 text")
        exit(1)
    }
}
let found = violations(of: rules, in: files)
for violation in found { print(violation) }
print("\(files.count) files, \(found.count) violations")
// A checker that was pointed at the wrong place must not pass.
exit(found.isEmpty && !files.isEmpty ? 0 : 1)

/// The paths, from `top` on, of the Swift files of the three places and of the tests, without what a build wrote.
func swiftFiles(below top: URL) -> [String] {
    var paths: [String] = []
    for folder in ["Hardware", "Simulator", "Sources", "Tests"] {
        let options: FileManager.DirectoryEnumerationOptions = [.skipsHiddenFiles]
        let folderURL = top.appending(path: folder)
        let walk = FileManager.default.enumerator(at: folderURL, includingPropertiesForKeys: nil, options: options)
        for case let file as URL in walk ?? FileManager.DirectoryEnumerator() where file.pathExtension == "swift" {
            paths.append(
                String(file.standardizedFileURL.path.dropFirst(top.path.count)).trimmingPrefix("/").description)
        }
    }
    return paths.sorted()
}
