/// A terminal that takes sixels, written from DEC's description of them (STD 070, chapter 9): what a test looks at.
struct DecodedSixels {
    struct Pixel: Hashable {
        var x: Int
        var y: Int
    }

    /// The colour of each pixel that was drawn: red, green and blue in percent.
    private(set) var pixels: [Pixel: [Int]] = [:]
    private var palette: [Int: [Int]] = [:]
    private var colour = 0
    private var place = Pixel(x: 0, y: 0)

    /// The picture in a device control string, from its ESC P on; nil where it is none.
    init?(_ text: some StringProtocol) {
        var bytes = Array(text.utf8)[...]
        guard bytes.starts(with: [0x1B, UInt8(ascii: "P")]), let start = bytes.firstIndex(of: UInt8(ascii: "q")) else {
            return nil
        }
        bytes = bytes[(start + 1)...]
        while let byte = bytes.popFirst(), byte != 0x1B {
            switch byte {
            case UInt8(ascii: "\""): _ = DecodedSixels.numbers(&bytes)
            case UInt8(ascii: "#"): select(DecodedSixels.numbers(&bytes))
            case UInt8(ascii: "!"):
                let count = DecodedSixels.numbers(&bytes).first ?? 0
                guard let repeated = bytes.popFirst() else { return nil }
                for _ in 0..<count { draw(repeated) }
            case UInt8(ascii: "$"): place.x = 0
            case UInt8(ascii: "-"): place = Pixel(x: 0, y: place.y + 6)
            case _: draw(byte)
            }
        }
    }

    private static func numbers(_ bytes: inout ArraySlice<UInt8>) -> [Int] {
        let text = bytes.prefix { $0 == UInt8(ascii: ";") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        bytes = bytes.dropFirst(text.count)
        return String(decoding: text, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
    }

    private mutating func select(_ numbers: [Int]) {
        colour = numbers.first ?? 0
        // The second number says that the others are red, green and blue.
        if numbers.count == 5, numbers[1] == 2 { palette[colour] = Array(numbers[2...]) }
    }

    private mutating func draw(_ byte: UInt8) {
        guard (63...126).contains(byte) else { return }
        for line in 0..<6 where (byte - 63) >> UInt8(line) & 1 == 1 {
            pixels[Pixel(x: place.x, y: place.y + line)] = palette[colour]
        }
        place.x += 1
    }
}
