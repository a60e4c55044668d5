import Foundation
import WatchLink

/// What a writer makes of a buffer of `capacity` bytes.
func written(_ capacity: Int = 8192, _ body: (inout CBORWriter) throws(CBORError) -> Void) throws(CBORError) -> [UInt8]
{
    var buffer = [UInt8](repeating: 0xEE, count: capacity)
    var count = 0
    do {
        var writer = CBORWriter(buffer.mutableSpan)
        try body(&writer)
        count = writer.count
    }
    return Array(buffer.prefix(count))
}

/// The bytes of hexadecimal digits; blanks and line ends between them are of no meaning.
func bytes(hex: some StringProtocol) -> [UInt8]? {
    let digits = hex.filter { !$0.isWhitespace }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var result: [UInt8] = []
    var rest = Substring(digits)
    while !rest.isEmpty {
        guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
        result.append(byte)
        rest = rest.dropFirst(2)
    }
    return result
}

/// Bytes as hexadecimal digits.
func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
}

/// The text of UTF-8 bytes.
func string(_ utf8: Span<UInt8>) -> String {
    String(decoding: utf8.indices.map { utf8[$0] }, as: UTF8.self)
}

extension ItemTitle {
    /// The title of a text.
    init(_ text: String) {
        self.init(utf8: Array(text.utf8).span)
    }
}

/// The files of this repository, found from where this one is.
enum Repository {
    static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
