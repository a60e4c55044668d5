import COpenSSL

/// The curve P-256 (FIPS 186-4, section D.1.2.3). Numbers have 32 bytes, the most significant first.
enum PrimeCurve {
    typealias Point = (x: [UInt8], y: [UInt8])

    /// Returns the public key of a secret. Nil if the secret is 0 or a multiple of the curve's order.
    static func publicKey(of secret: [UInt8]) -> Point? { product(secret, nil) }

    /// Multiplies a point by a factor. Returns nil if the point is not on the curve, or if the product is the point at
    /// infinity.
    static func multiply(_ factor: [UInt8], _ point: Point) -> Point? { product(factor, point) }

    /// Multiplies `point`, or the curve's generator if `point` is nil, by `factor`.
    private static func product(_ factor: [UInt8], _ point: Point?) -> Point? {
        let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
        let (place, result) = (EC_POINT_new(group), EC_POINT_new(group))
        let bytes = point.map { [factor, $0.x, $0.y] } ?? [factor]
        let numbers = bytes.map { BN_bin2bn($0, Int32($0.count), nil) }
        let (x, y) = (BN_new(), BN_new())
        defer {
            for number in numbers + [x, y] { BN_free(number) }
            EC_POINT_free(place)
            EC_POINT_free(result)
            EC_GROUP_free(group)
        }
        if point == nil {
            guard EC_POINT_mul(group, result, numbers[0], nil, nil, nil) == 1 else { return nil }
        } else {
            guard EC_POINT_set_affine_coordinates(group, place, numbers[1], numbers[2], nil) == 1,
                EC_POINT_mul(group, result, nil, place, numbers[0], nil) == 1
            else { return nil }
        }
        guard EC_POINT_get_affine_coordinates(group, result, x, y, nil) == 1 else { return nil }
        func padded(_ number: OpaquePointer?) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 32)
            BN_bn2binpad(number, &bytes, 32)
            return bytes
        }
        return (padded(x), padded(y))
    }
}
