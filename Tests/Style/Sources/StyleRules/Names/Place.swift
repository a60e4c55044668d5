/// Where a shipped file stands: its module, and its folder within the module.
struct Place: Hashable, Comparable {
    /// The module's folder from the repository's top: `Simulator/DeviceModel`.
    let module: String
    /// The folder within the module: `Phone`, `Tap/Stages`; empty for a file in the module's root.
    let folder: String

    /// The place of the file at `path`; nil for a file that belongs to no shipped module: a test, a manifest.
    init?(path: String) {
        let parts = path.split(separator: "/").map(String.init)
        let depth =
            switch parts.first {
            case "Sources", "Simulator": 2
            case "Hardware": parts.dropFirst().first == "Boards" ? 3 : 2
            default: 0
            }
        guard depth > 0, parts.count > depth else { return nil }
        module = parts.prefix(depth).joined(separator: "/")
        folder = parts[depth...].dropLast().joined(separator: "/")
    }

    /// The last part of the module's path, which is what an import calls it.
    var moduleName: String { String(module.split(separator: "/").last ?? "") }

    /// By module, then by folder.
    static func < (left: Place, right: Place) -> Bool {
        (left.module, left.folder) < (right.module, right.folder)
    }
}
