import HostSystem

/// A size for a person: `512 bytes`, `16.0 MB`.
struct SizeText: CustomStringConvertible {
    let description: String

    init(_ bytes: UInt64) {
        switch bytes {
        case 0..<1_000: description = "\(CountText(bytes, "byte"))"
        case 1_000..<1_000_000: description = "\(bytes / 1_000).\(bytes % 1_000 / 100) KB"
        default: description = "\(bytes / 1_000_000).\(bytes % 1_000_000 / 100_000) MB"
        }
    }
}
