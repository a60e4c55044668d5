import WatchLink

@testable import Wormhole

/// Skips and decodes any bytes. Each skip must consume bytes. A value that can be decoded must be the same after it is
/// encoded and decoded again.
func fuzzCBOR(_ input: FuzzInput) {
    let bytes = input.all
    var reader = CBORReader(bytes.span)
    while !reader.isAtEnd {
        let before = reader.offset
        guard (try? reader.skip()) != nil else { break }
        precondition(reader.offset > before, "an item of no bytes")
    }
    guard let value = try? CBORValue(decoding: bytes), let written = try? value.encoded(largestSize: 1 << 20) else {
        return
    }
    precondition(reader.isAtEnd, "what is read cannot be skipped")
    guard let again = try? CBORValue(decoding: written), let second = try? again.encoded(largestSize: 1 << 20) else {
        preconditionFailure("what was written cannot be read")
    }
    precondition(second == written, "a value changes when it is written")
    _ = try? MessageDecoder().decode([String: [Double]].self, from: bytes)
    _ = try? MessageDecoder().decode([Int8].self, from: bytes)
    _ = try? MessageDecoder().decode(UInt64.self, from: bytes)
}
