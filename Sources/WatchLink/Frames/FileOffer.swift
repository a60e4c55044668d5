/// What the sender of a file says about it: the map of an offer.
public struct FileOffer: ~Escapable {
    /// What the file is called: UTF-8, which the receiver judges.
    public let label: Span<UInt8>
    /// The length of the content in bytes.
    public let length: UInt64
    /// The SHA-256 of the content, 32 bytes.
    public let hash: Span<UInt8>
    /// What the sending program says about the file: one well-formed CBOR item, or no bytes where it says nothing.
    public let metadata: Span<UInt8>
    /// The transfer, by a number that its sender has drawn at random and keeps over links and restarts, not 0.
    public let transfer: UInt64

    /// The bytes of a hash.
    public static var hashSize: Int { 32 }

    /// An offer. Traps for a hash of another size, and for the transfer 0.
    @_lifetime(copy label, copy hash, copy metadata)
    public init(
        label: Span<UInt8>, length: UInt64, hash: Span<UInt8>, metadata: Span<UInt8>, transfer: UInt64
    ) {
        precondition(hash.count == FileOffer.hashSize, "a SHA-256 has 32 bytes")
        precondition(transfer != 0, "no transfer is 0")
        self.label = label
        self.length = length
        self.hash = hash
        self.metadata = metadata
        self.transfer = transfer
    }

    /// Writes the map, after the header.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: metadata.isEmpty ? 4 : 5)
        try writer.unsigned(0 as UInt32)
        try writer.text(label)
        try writer.unsigned(1 as UInt32)
        try writer.unsigned(length)
        try writer.unsigned(2 as UInt32)
        try writer.bytes(hash)
        if !metadata.isEmpty {
            try writer.unsigned(3 as UInt32)
            try writer.raw(metadata)
        }
        try writer.unsigned(4 as UInt32)
        try writer.unsigned(transfer)
    }

    /// Reads the map of a frame after its header.
    ///
    /// - Parameter sdu: the whole frame.
    /// - Throws: `.malformed` where a key is missing, the hash has another size or the transfer is 0, and whatever the reader throws.
    @_lifetime(copy sdu)
    public init(_ sdu: Span<UInt8>) throws(CBORError) {
        let map = sdu.extracting(min(FileHeader.size, sdu.count)..<sdu.count)
        var reader = CBORReader(map)
        var fields = try CBORFields(&reader)
        var (label, hash, metadata) = (map, map, map.extracting(first: 0))
        var (length, transfer) = (UInt64(word: 0), UInt64(word: 0))
        while let key = try fields.next(&reader) {
            switch key {
            case 0: label = try reader.text()
            case 1: length = try reader.unsigned()
            case 2: hash = try reader.bytes()
            case 3:
                let start = reader.offset
                try reader.skip()
                metadata = map.extracting(start..<reader.offset)
            case 4: transfer = try reader.unsigned()
            default: try reader.skip()
            }
        }
        try fields.require(0b1_0111)
        try reader.expectEnd()
        guard hash.count == FileOffer.hashSize, transfer != 0 else { throw .malformed }
        self.init(label: label, length: length, hash: hash, metadata: metadata, transfer: transfer)
    }
}
