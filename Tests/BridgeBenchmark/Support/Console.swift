import Foundation

/// The terminal of whoever measures.
enum Console {
    /// Says why nothing is measured.
    static func complain(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
