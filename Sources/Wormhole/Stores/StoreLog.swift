import WatchLink

/// Which failures a passed or acknowledged message survives.
public enum StoreDurability: Sendable {
    /// Any end of the process: the operating system has the bytes.
    case processCrash
    /// Also a power failure: each step waits until the disk has the bytes.
    case powerLoss
}

/// A file to which each step of a store is appended as one frame: length, CRC-32, record.
///
/// A frame that a crash has cut short fails its checksum and is dropped, so a step is there completely or not at all.
/// When the file has grown, a snapshot is written beside it and renamed over it.
struct StoreLog: Sendable {
    static let magic = Array("TapStor1".utf8)
    /// A file is not compacted before it has this many bytes.
    static let smallestCompaction = 65_536
    /// The most bytes of one frame: a snapshot has to fit.
    static let largestFrame = 256 << 20

    /// What follows the last whole frame.
    private enum Tail {
        /// Nothing.
        case clean
        /// Perhaps a part of a frame that could neither be completed nor removed.
        case torn
    }

    private let path: String
    private let durability: StoreDurability
    private var file: OpenFile
    private var tail = Tail.clean
    private var length = 0
    private var lengthAfterCompaction = 0

    /// Opens or creates the file. Nothing is read yet.
    init(path: String, durability: StoreDurability) throws(WormholeError) {
        self.path = path
        self.durability = durability
        file = try OpenFile(path: path)
    }

    /// Whether the file has grown to twice what the store needs.
    var isDueForCompaction: Bool { length > max(StoreLog.smallestCompaction, 2 * lengthAfterCompaction) }

    /// Reads every step, and drops one that a crash has cut short.
    mutating func replay() throws(WormholeError) -> [StoreRecord] {
        let bytes = try file.readAll()
        guard StoreLog.magic.starts(with: bytes.prefix(StoreLog.magic.count)) else {
            throw .storage("\(path) is not a message store")
        }
        length = StoreLog.magic.count
        if bytes.count < length {
            try file.truncate(to: 0)
            try file.append(StoreLog.magic)
        }
        var records: [StoreRecord] = []
        while let payload = StoreLog.frame(in: bytes, at: length) {
            do throws(WormholeError) {
                records.append(try MessageDecoder().decode(StoreRecord.self, from: Array(bytes[payload])))
            } catch {
                // The checksum is right, so another version has written the file. It stays as it is.
                throw .storage("\(path) is of another version: \(error)")
            }
            length = payload.upperBound
        }
        lengthAfterCompaction = length
        if bytes.count > length { try file.truncate(to: length) }
        return records
    }

    mutating func append(_ record: StoreRecord) throws(WormholeError) {
        let frame = try StoreLog.frame(of: record)
        if case .torn = tail { try file.truncate(to: length) }
        // Until the whole frame is written, a part of it may be in the file, and nothing may follow that.
        tail = .torn
        try file.append(frame)
        if case .powerLoss = durability { try file.synchronize() }
        tail = .clean
        length += frame.count
    }

    /// Replaces the file by one that holds a single record.
    mutating func compact(to snapshot: StoreRecord) throws(WormholeError) {
        let bytes = StoreLog.magic + (try StoreLog.frame(of: snapshot))
        file = try file.replaced(by: bytes)
        tail = .clean
        length = bytes.count
        lengthAfterCompaction = bytes.count
    }

    private static func frame(of record: StoreRecord) throws(WormholeError) -> [UInt8] {
        let payload = try MessageEncoder(largestSize: largestFrame).encode(record)
        return bigEndian(UInt32(payload.count)) + bigEndian(CRC32.checksum(of: payload.span)) + payload
    }

    /// The range of the payload of the frame at `position`, or nil where no whole frame with a right checksum is there.
    private static func frame(in bytes: [UInt8], at position: Int) -> Range<Int>? {
        guard bytes.count >= position + 8 else { return nil }
        let count = Int(word(bytes, at: position))
        guard count <= largestFrame, bytes.count - position - 8 >= count else { return nil }
        let payload = position + 8..<position + 8 + count
        return CRC32.checksum(of: bytes.span.extracting(payload)) == word(bytes, at: position + 4) ? payload : nil
    }

    private static func bigEndian(_ word: UInt32) -> [UInt8] {
        withUnsafeBytes(of: word.bigEndian) { Array($0) }
    }

    private static func word(_ bytes: [UInt8], at position: Int) -> UInt32 {
        bytes[position..<position + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
