/// The curve P-256 (FIPS 186-4, section D.1.2.3). It is slow and has no protection against timing attacks.
enum PrimeCurve {
    /// A number below 2^256: four words, the least significant first.
    typealias Number = SIMD4<UInt64>

    static let prime = number(hex: "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
    private static let b = number(hex: "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b")
    private static let generator = (
        x: number(hex: "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
        y: number(hex: "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
    )
    /// 2^512 mod p. A product with it converts a number to Montgomery's form.
    private static let square = (0..<512).reduce(Number(1, 0, 0, 0)) { value, _ in add(value, value) }
    private static let one = multiply(Number(1, 0, 0, 0), square)

    private static func number(hex: String) -> Number {
        hex.reduce(Number()) { number, digit in
            var next = shifted(number)
            next[0] |= UInt64(digit.hexDigitValue ?? 0)
            return next
        }
    }

    private static func shifted(_ number: Number) -> Number {
        Number(
            number[0] << 4, number[1] << 4 | number[0] >> 60, number[2] << 4 | number[1] >> 60,
            number[3] << 4 | number[2] >> 60)
    }

    static func number(_ bytes: some Collection<UInt8>) -> Number {
        var number = Number()
        for (index, byte) in bytes.reversed().enumerated() {
            number[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
        }
        return number
    }

    static func bytes(_ number: Number) -> [UInt8] {
        (0..<32).reversed().map { UInt8(truncatingIfNeeded: number[$0 / 8] >> UInt64($0 % 8 * 8)) }
    }

    // MARK: The field

    /// Returns the difference modulo 2^256, and whether it is negative.
    private static func difference(_ a: Number, _ b: Number) -> (Number, borrows: Bool) {
        var result = Number(), borrow: UInt64 = 0
        for index in 0..<4 {
            let (first, under) = a[index].subtractingReportingOverflow(b[index])
            let (second, underAgain) = first.subtractingReportingOverflow(borrow)
            (result[index], borrow) = (second, under || underAgain ? 1 : 0)
        }
        return (result, borrow == 1)
    }

    private static func sum(_ a: Number, _ b: Number) -> (Number, carries: Bool) {
        var result = Number(), carry: UInt64 = 0
        for index in 0..<4 {
            let (first, over) = a[index].addingReportingOverflow(b[index])
            let (second, overAgain) = first.addingReportingOverflow(carry)
            (result[index], carry) = (second, over || overAgain ? 1 : 0)
        }
        return (result, carry == 1)
    }

    private static func reduced(_ value: Number, carries: Bool) -> Number {
        let (less, borrows) = difference(value, prime)
        return carries || !borrows ? less : value
    }

    private static func add(_ a: Number, _ b: Number) -> Number {
        let (result, carries) = sum(a, b)
        return reduced(result, carries: carries)
    }

    private static func subtract(_ a: Number, _ b: Number) -> Number {
        let (result, borrows) = difference(a, b)
        return borrows ? sum(result, prime).0 : result
    }

    /// Montgomery's product a * b / 2^256. As p is -1 modulo 2^64, the lowest word times p can be added to clear that word.
    private static func multiply(_ a: Number, _ b: Number) -> Number {
        var total = SIMD16<UInt64>()
        func accumulate(_ factor: UInt64, _ number: Number, at start: Int) {
            var carry: UInt64 = 0
            for index in 0..<4 {
                let product = factor.multipliedFullWidth(by: number[index])
                let (low, over) = total[start + index].addingReportingOverflow(product.low)
                let (sum, overAgain) = low.addingReportingOverflow(carry)
                (total[start + index], carry) = (sum, product.high &+ (over ? 1 : 0) &+ (overAgain ? 1 : 0))
            }
            let (sum, over) = total[start + 4].addingReportingOverflow(carry)
            total[start + 4] = sum
            total[start + 5] += over ? 1 : 0
        }
        for index in 0..<4 {
            accumulate(a[index], b, at: index)
            accumulate(total[index], prime, at: index)
        }
        return reduced(Number(total[4], total[5], total[6], total[7]), carries: total[8] != 0)
    }

    /// The inverse by Fermat: a^(p-2).
    private static func inverse(_ a: Number) -> Number {
        let exponent = difference(prime, Number(2, 0, 0, 0)).0
        return (0..<256).reversed().reduce(one) { result, bit in
            let square = multiply(result, result)
            return exponent[bit / 64] >> UInt64(bit % 64) & 1 != 0 ? multiply(square, a) : square
        }
    }

    // MARK: Points

    /// A point in Jacobian coordinates, in Montgomery's form. The point at infinity has z = 0.
    private struct Point {
        var x: Number
        var y: Number
        var z: Number

        var isInfinite: Bool { z == Number() }

        func doubled() -> Point {
            guard !isInfinite else { return self }
            let yy = multiply(y, y), zz = multiply(z, z)
            let double = add(x, x), fourXYY = multiply(add(double, double), yy)
            // a = -3: m = 3 (x - zz)(x + zz).
            let part = multiply(subtract(x, zz), add(x, zz))
            let m = add(add(part, part), part)
            let newX = subtract(multiply(m, m), add(fourXYY, fourXYY))
            let twoYY = add(yy, yy), fourYYYY = multiply(twoYY, twoYY)
            let newY = subtract(multiply(m, subtract(fourXYY, newX)), add(fourYYYY, fourYYYY))
            return Point(x: newX, y: newY, z: multiply(add(y, y), z))
        }

        func adding(_ other: Point) -> Point {
            guard !isInfinite else { return other }
            guard !other.isInfinite else { return self }
            let zz = multiply(z, z), otherZZ = multiply(other.z, other.z)
            let u = multiply(x, otherZZ), otherU = multiply(other.x, zz)
            let s = multiply(y, multiply(otherZZ, other.z)), otherS = multiply(other.y, multiply(zz, z))
            let h = subtract(otherU, u), r = subtract(otherS, s)
            if h == Number() { return r == Number() ? doubled() : Point(x: one, y: one, z: Number()) }
            let hh = multiply(h, h), hhh = multiply(hh, h), uhh = multiply(u, hh)
            let newX = subtract(subtract(multiply(r, r), hhh), add(uhh, uhh))
            let newY = subtract(multiply(r, subtract(uhh, newX)), multiply(s, hhh))
            return Point(x: newX, y: newY, z: multiply(h, multiply(z, other.z)))
        }
    }

    /// Multiplies a point, and returns x and y. Nil if the point is not on the curve.
    static func multiply(_ factor: Number, x: Number, y: Number) -> (x: Number, y: Number)? {
        let point = Point(x: multiply(x, square), y: multiply(y, square), z: one)
        let cube = multiply(multiply(point.x, point.x), point.x), tripleX = add(add(point.x, point.x), point.x)
        let right = add(subtract(cube, tripleX), multiply(b, square))
        guard multiply(point.y, point.y) == right else { return nil }
        let result = (0..<256).reversed().reduce(Point(x: one, y: one, z: Number())) { result, bit in
            let double = result.doubled()
            return factor[bit / 64] >> UInt64(bit % 64) & 1 != 0 ? double.adding(point) : double
        }
        guard !result.isInfinite else { return nil }
        let inverse = inverse(result.z), inverseSquare = multiply(inverse, inverse)
        let plain = Number(1, 0, 0, 0)
        return (
            multiply(multiply(result.x, inverseSquare), plain),
            multiply(multiply(result.y, multiply(inverseSquare, inverse)), plain)
        )
    }

    static func publicKey(of secret: Number) -> (x: Number, y: Number)? {
        multiply(secret, x: generator.x, y: generator.y)
    }
}
