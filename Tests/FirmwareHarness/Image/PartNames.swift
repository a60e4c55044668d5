/// To which part of the firmware a symbol of its image belongs.
struct PartNames {
    let table: DeclarationTable

    /// What is not in the sources: the compiler's runtime and its library.
    static let swift = "Swift library and runtime"
    /// The C library's memory functions and the compiler's arithmetic.
    static let library = "C library and libgcc"
    /// What has no name, or one that leads nowhere.
    static let other = "other"

    /// The part of a symbol: its name in the image, and what that says.
    func part(of symbol: String, demangled: String) -> String {
        if symbol.hasPrefix("swift_") || symbol.hasPrefix("_swift_") { return PartNames.swift }
        guard symbol.hasPrefix("$") else { return PartNames.library }
        // A specialisation, an outlined copy, a closure: of or in the declaration that is named last.
        var name = demangled[...]
        if let prefix = name.ranges(of: " of ").last { name = name[prefix.upperBound...] }
        if name.hasPrefix("closure"), let prefix = name.ranges(of: " in ").last(where: { _ in true }) {
            name = name[prefix.upperBound...]
        }
        let pattern = #/\b(\w+)\.\(?(\w+)(?: in \w+\))?(?:\.\(?(\w+))?/#
        guard let match = name.firstMatch(of: pattern) else { return PartNames.other }
        let module = String(match.1)
        if module == "Swift" { return PartNames.swift }
        guard table.modules.contains(module) else { return PartNames.other }
        return table.folder(module: module, type: String(match.2), member: match.3.map(String.init)) ?? module
    }
}
