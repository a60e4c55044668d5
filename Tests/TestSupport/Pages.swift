import Foundation

/// The Markdown pages of this repository.
package enum Pages {
    package static func texts() throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let inside = try ["Hardware", "Simulator", "Sources", "Tests"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
                .map { "\(folder)/\($0)" }
        }
        let paths = try FileManager.default.contentsOfDirectory(atPath: root.path) + inside
        return paths.filter { $0.hasSuffix(".md") }.compactMap {
            try? String(contentsOf: root.appending(path: $0), encoding: .utf8)
        }
    }
}
