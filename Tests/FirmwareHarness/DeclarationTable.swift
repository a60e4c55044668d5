import Foundation

struct DeclarationTable {
    /// The modules whose sources were read: Watch, WatchLink, and those of the boards.
    private(set) var modules: Set<String> = []
    private var folders: [String: Set<String>] = [:]

    init(sources top: String) throws {
        let manifest = try String(contentsOf: URL(filePath: top).appending(path: "Package.swift"), encoding: .utf8)
        // In Package.swift, a target's name comes before its path. Only boards have paths in this folder.
        let board = #/name: "(\w+)"(?:(?!name: ")[\s\S])*?path: "(Hardware/Boards/\w+)"/#
        let boards = manifest.matches(of: board).map { (String($0.1), String($0.2)) }
        for (module, path) in [("Watch", "Hardware/Watch"), ("WatchLink", "Sources/WatchLink")] + boards {
            let root = URL(filePath: top).appending(path: path)
            guard let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil) else {
                continue
            }
            let depth = root.pathComponents.count
            for case let file as URL in files where file.pathExtension == "swift" {
                let components = file.pathComponents.dropFirst(depth)
                let folder = components.count > 1 ? "\(module)/\(components.first ?? "")" : module
                read(try String(contentsOf: file, encoding: .utf8), module: module, folder: folder)
            }
        }
        try require(!folders.isEmpty, "there are no sources in \(top)")
    }

    init(_ files: [(module: String, folder: String, text: String)]) {
        for file in files { read(file.text, module: file.module, folder: file.folder) }
    }

    func folder(module: String, type: String, member: String?) -> String? {
        let names = [member.map { "\(module).\(type).\($0)" }, "\(module).\(type)"].compactMap { $0 }
        return names.lazy.compactMap { folders[$0] }.first { $0.count == 1 }?.first
    }

    private mutating func read(_ text: String, module: String, folder: String) {
        modules.insert(module)
        let opening =
            #/^(?:@[\w()]+ )*(?:(?:public|package|private|fileprivate|final|nonisolated\(unsafe\)) )*(struct|enum|class|extension|protocol|func|let|var) (\w+)/#
        let member = #/^    .*?\b(?:func|var|let) (\w+)/#
        var owner = ""
        for line in text.split(separator: "\n") {
            if let match = line.firstMatch(of: opening) {
                let name = "\(module).\(match.2)"
                owner = name
                if match.1 != "extension" { note(name, folder) }
            } else if let match = line.firstMatch(of: member) {
                note("\(owner).\(match.1)", folder)
            }
        }
    }

    private mutating func note(_ name: String, _ folder: String) {
        folders[name, default: []].insert(folder)
    }
}
