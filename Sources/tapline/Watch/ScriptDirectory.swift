import Foundation

/// The scripts in a directory.
struct ScriptDirectory {
    let path: String
    /// Their names, in order.
    let names: [String]

    /// Lists a directory: every name that ends with `.script` or `.tapline` and does not begin with a dot, in the order of its
    /// bytes.
    init(path: String) throws(ScriptFileError) {
        guard let listing = opendir(path) else {
            throw .unreadableDirectory(path: path, reason: String(cString: strerror(errno)))
        }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            // `d_name` ends with a zero (readdir(3)), and `entry` is there until the next call.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if ScriptDirectory.isScript(name) { names.append(name) }
        }
        guard !names.isEmpty else { throw .noScripts(directory: path) }
        self.path = path
        self.names = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    static func isScript(_ name: String) -> Bool {
        !name.hasPrefix(".") && (name.hasSuffix(".script") || name.hasSuffix(".tapline"))
    }

    /// The path of a script.
    func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
}
