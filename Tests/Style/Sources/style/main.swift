import Foundation
import StyleRules

// style [TOP]: checks the Swift files of the repository at TOP; prints what breaks a rule and exits 1 if something does.
// style --folders [TOP]: prints every use that makes two folders refer to each other, the excepted ones too.
// style --dead [TOP]: prints every declaration that nothing shipped uses, the excepted ones too.
// style --picture FILE [TOP]: draws modules and folders as boxes and references as arrows, as SVG.

var arguments = CommandLine.arguments.dropFirst()
var picture: String?
let rules: [any Rule]
switch arguments.first {
case "--folders":
    arguments.removeFirst()
    rules = [FolderDirection.withoutExceptions]
case "--dead":
    arguments.removeFirst()
    rules = [DeadDeclaration.withoutExceptions]
case "--picture":
    picture = arguments.dropFirst().first
    arguments.removeFirst(min(2, arguments.count))
    rules = []
default:
    rules = houseRules
}
let top = URL(fileURLWithPath: arguments.first ?? ".", isDirectory: true).standardizedFileURL
let files = try paths(below: top, of: "swift").map { SourceFile(path: $0, text: try text(of: $0, below: top)) }
if let picture {
    try FolderPicture(files).svg.write(toFile: picture, atomically: true, encoding: .utf8)
    exit(0)
}
let pages = try (["README.md"] + paths(below: top, of: "md")).map { Page(path: $0, text: try text(of: $0, below: top)) }
let tree = everyFile(below: top)
let scripts = tree.compactMap { path in (try? text(of: path, below: top)).flatMap { Script(path: path, text: $0) } }
let found = violations(of: rules, in: files, pages: pages, scripts: scripts, tree: FileTree(files: tree))
for violation in found { print(violation) }
print("\(files.count) files, \(found.count) violations")
// A checker that was pointed at the wrong place must not pass.
exit(found.isEmpty && !files.isEmpty ? 0 : 1)
