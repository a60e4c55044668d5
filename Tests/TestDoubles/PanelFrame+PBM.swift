import DeviceModel
import Watch

extension PanelFrame {
    /// The frame as a raw portable bitmap (PBM, "P4"), in which a set bit is black.
    package var portableBitmap: [UInt8] {
        Array("P4\n\(PanelGeometry.width) \(PanelGeometry.height)\n".utf8) + bytes.map { ~$0 }
    }

    /// The frame in a raw portable bitmap of the panel's size.
    ///
    /// - Throws: `.malformedImage` for anything else.
    package init(portableBitmap file: [UInt8]) throws(DeviceModelError) {
        var header = PortableBitmapHeader(file[...])
        guard header.word() == "P4" else { throw .malformedImage("it does not begin with P4") }
        guard let width = header.word().flatMap({ Int($0) }), let height = header.word().flatMap({ Int($0) }) else {
            throw .malformedImage("width or height is missing")
        }
        guard width == PanelGeometry.width, height == PanelGeometry.height else {
            throw .malformedImage("it is \(width) x \(height) pixels")
        }
        // A single white-space byte stands between the header and the pixels.
        try self.init(bytes: header.rest.dropFirst().map { ~$0 })
    }
}

/// Reads the words before the pixels of a portable bitmap, where `#` begins a comment up to the line's end.
private struct PortableBitmapHeader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ file: ArraySlice<UInt8>) {
        rest = file
    }

    mutating func word() -> String? {
        skipSpace()
        let word = rest.prefix { !PortableBitmapHeader.isSpace($0) && $0 != UInt8(ascii: "#") }
        guard !word.isEmpty else { return nil }
        rest = rest.dropFirst(word.count)
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func skipSpace() {
        rest = rest.drop(while: PortableBitmapHeader.isSpace)
        while rest.first == UInt8(ascii: "#") {
            rest = rest.drop { $0 != UInt8(ascii: "\n") }.drop(while: PortableBitmapHeader.isSpace)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }
}
