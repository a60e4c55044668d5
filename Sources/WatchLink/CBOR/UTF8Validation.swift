/// Checks that bytes are well-formed UTF-8: no overlong form, no surrogate, nothing above U+10FFFF (Unicode table 3-7).
enum UTF8Validation {
    static func isWellFormed(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            let lead = bytes[index]
            if lead < 0x80 {
                index &+= 1
                continue
            }
            guard let length = length(ofSequenceWith: lead), bytes.count &- index >= length,
                isSecond(bytes[index &+ 1], after: lead)
            else { return false }
            for next in 2..<length where bytes[index &+ next] & 0xC0 != 0x80 { return false }
            index &+= length
        }
        return true
    }

    private static func length(ofSequenceWith lead: UInt8) -> Int? {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: nil
        }
    }

    private static func isSecond(_ byte: UInt8, after lead: UInt8) -> Bool {
        switch lead {
        case 0xE0: byte >= 0xA0 && byte <= 0xBF
        case 0xED: byte >= 0x80 && byte <= 0x9F
        case 0xF0: byte >= 0x90 && byte <= 0xBF
        case 0xF4: byte >= 0x80 && byte <= 0x8F
        default: byte & 0xC0 == 0x80
        }
    }
}
