import Foundation

extension WebAddress {
    /// The longest readable part of a collection's address, in characters.
    private static let longestSlug = 40

    /// The address of a new collection in this one: its name as far as every server takes it, and digits that no other has.
    ///
    /// - Parameters:
    ///   - name: the name that people see.
    ///   - random: sixty-four random bits.
    package func collection(named name: String, random: UInt64) -> WebAddress {
        var slug = ""
        for scalar in name.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": slug.unicodeScalars.append(scalar)
            case _ where scalar.properties.generalCategory == .nonspacingMark: break
            case _: if !slug.isEmpty, !slug.hasSuffix("-") { slug.append("-") }
            }
        }
        let short = slug.prefix(WebAddress.longestSlug)
        let readable = short.hasSuffix("-") ? short.dropLast() : short
        let home = path.hasSuffix("/") ? path : path + "/"
        return with(path: "\(home)\(readable.isEmpty ? "list" : readable)-\(String(random, radix: 36))/")
    }
}
