/// The cryptographic functions of LE Secure Connections, with the parameter names of the specification (Bluetooth Core 5.3, Vol
/// 3, Part H, section 2.2). Each parameter and result begins with its most significant byte. A public key is passed as its x
/// coordinate.
enum PairingFunctions {
    /// Computes a device's confirm value from its public key `u`, the other device's public key `v`, and its own random number
    /// `x`. `z` is 0 for numeric comparison and Just Works.
    static func f4(_ u: [UInt8], _ v: [UInt8], _ x: [UInt8], _ z: UInt8) -> [UInt8] {
        AES(key: x).authenticate(u + v + [z])
    }

    /// Derives MacKey (`check`) and the long-term key from the shared secret `w`. `n1` and `a1` are the initiator's random
    /// number and address, `n2` and `a2` the responder's. An address has 7 bytes: its kind (0 public, 1 random), then the 6
    /// bytes of the address.
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

    /// Computes the check value by which a device proves that it has MacKey (`w`). This device has the random number `n1`, the
    /// address `a1` and the IO `capabilities`. The other device has the random number `n2` and the address `a2`. For numeric
    /// comparison and Just Works, `r` is 16 zero bytes.
    static func f6(
        _ w: [UInt8], _ n1: [UInt8], _ n2: [UInt8], _ r: [UInt8], _ capabilities: [UInt8], _ a1: [UInt8], _ a2: [UInt8]
    ) -> [UInt8] {
        AES(key: w).authenticate(n1 + n2 + r + capabilities + a1 + a2)
    }

    /// Computes the number that both devices show, 0 to 999,999. `u` and `x` are the initiator's public key and random number,
    /// `v` and `y` the responder's.
    static func g2(_ u: [UInt8], _ v: [UInt8], _ x: [UInt8], _ y: [UInt8]) -> Int {
        let code = AES(key: x).authenticate(u + v + y)
        return Int(code[12...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % 1_000_000)
    }
}
