/// A number in hexadecimal digits, as many as its type has: sixteen for 64 bits.
package struct HexadecimalText: CustomStringConvertible {
    package let description: String

    package init<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) {
        let digits = String(number, radix: 16)
        description = String(repeating: "0", count: Number.bitWidth / 4 - digits.count) + digits
    }
}
