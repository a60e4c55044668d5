/// The cryptographic functions of LE Secure Connections (Bluetooth Core 5.3, Vol 3, Part H, section 2.2). Bytes are in the order
/// of the specification's functions: the most significant first.
enum PairingFunctions {
    /// The confirm value of the public keys and a random number.
    static func f4(_ u: [UInt8], _ v: [UInt8], _ x: [UInt8], _ z: UInt8) -> [UInt8] {
        AES(key: x).authenticate(u + v + [z])
    }

    /// Makes the keys from the shared secret `w`. An address is its kind (0 public, 1 random) and 6 bytes.
    static func f5(
        _ w: [UInt8], _ n1: [UInt8], _ n2: [UInt8], _ a1: [UInt8], _ a2: [UInt8]
    ) -> (check: [UInt8], longTerm: [UInt8]) {
        let salt: [UInt8] = [
            0x6C, 0x88, 0x83, 0x91, 0xAA, 0xF5, 0xA5, 0x38, 0x60, 0x37, 0x0B, 0xDB, 0x5A, 0x60, 0x83, 0xBE,
        ]
        let cipher = AES(key: AES(key: salt).authenticate(w))
        func key(_ counter: UInt8) -> [UInt8] {
            cipher.authenticate([counter] + Array("btle".utf8) + n1 + n2 + a1 + a2 + [1, 0])
        }
        return (key(0), key(1))
    }

    /// The check value that proves the key `w`.
    static func f6(
        _ w: [UInt8], _ n1: [UInt8], _ n2: [UInt8], _ r: [UInt8], _ capabilities: [UInt8], _ a1: [UInt8], _ a2: [UInt8]
    ) -> [UInt8] {
        AES(key: w).authenticate(n1 + n2 + r + capabilities + a1 + a2)
    }

    /// The number of 6 digits that both sides show.
    static func g2(_ u: [UInt8], _ v: [UInt8], _ x: [UInt8], _ y: [UInt8]) -> Int {
        let code = AES(key: x).authenticate(u + v + y)
        return Int(code[12...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % 1_000_000)
    }
}
