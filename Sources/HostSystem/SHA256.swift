import COpenSSL

/// Computes, with OpenSSL, the SHA-256 digest (FIPS 180-4) of bytes that arrive in parts.
package struct SHA256: Sendable {
    private var context = SHA256_CTX()

    package init() {
        SHA256_Init(&context)
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        SHA256_Update(&context, bytes.baseAddress, bytes.count)
    }

    /// The 32-byte digest of all parts so far. `update` can be called again afterwards.
    package var digest: [UInt8] {
        var last = context
        return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { bytes, count in
            SHA256_Final(bytes.baseAddress, &last)
            count = bytes.count
        }
    }

    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.digest
    }
}
