import Foundation

/// A write-ahead log as its bytes are, as "WAL-mode File Format" of SQLite's documentation has it.
///
/// A header is followed by frames: a page each, with a header of its own. SQLite reads up to the first frame that does
/// not belong to the log, or whose checksum is wrong, which is how it finds the end, and says nothing of committed
/// transactions that are behind a damaged one. So this looks behind it.
struct WriteAheadLog {
    /// The two sums, each of which goes on from that of the frame before.
    private struct Checksum: Equatable {
        var first: UInt32 = 0
        var second: UInt32 = 0
    }

    private enum Order {
        case littleEndian
        case bigEndian
    }

    private static let headerLength = 32
    private static let frameHeaderLength = 24
    private static let magics: [UInt32: Order] = [0x377F_0682: .littleEndian, 0x377F_0683: .bigEndian]

    private let bytes: UnsafeRawBufferPointer
    private let order: Order
    private let pageSize: Int
    private let start: Checksum

    /// How much of a log SQLite reads.
    static func extent(of log: Data) -> DatabaseCheck.Log {
        guard log.count > headerLength else { return .whole }
        return log.withUnsafeBytes { bytes in WriteAheadLog(bytes)?.extent ?? .unread }
    }

    /// Nil where the header is damaged.
    private init?(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        let number = { UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)) }
        guard let order = WriteAheadLog.magics[number(0)] else { return nil }
        self.order = order
        pageSize = Int(number(8))
        guard (512...65_536).contains(pageSize), pageSize.nonzeroBitCount == 1 else { return nil }
        start = Checksum(first: number(24), second: number(28))
        guard checksum(of: 0..<24, after: Checksum()) == start else { return nil }
    }

    private var extent: DatabaseCheck.Log {
        let end = firstUnreadFrame
        // Those with other salts are left from before the log was begun anew.
        var behind = (end..<frameCount).filter(isOfThisLog)
        if isLeftOver(end), let commit = behind.firstIndex(where: commits) { behind.removeSubrange(...commit) }
        // The last frame of all may be the one at which a host was killed.
        guard behind != [end] else { return .whole }
        let transactions = behind.count(where: commits)
        return transactions == 0 ? .whole : .cut(transactions: transactions)
    }

    /// Whether the frame at which SQLite ends is from a transaction that failed, of which a shorter one has overwritten
    /// the beginning: it stands behind a whole transaction, and does not begin one. Each of ours begins with the first
    /// page; see `LogMark`.
    private func isLeftOver(_ end: Int) -> Bool {
        end > 0 && end < frameCount && commits(end - 1) && isOfThisLog(end) && number(offset(of: end)) != 1
    }

    /// The index of the first frame that SQLite does not read; the number of frames where it reads all.
    private var firstUnreadFrame: Int {
        var checksum = start
        for frame in 0..<frameCount {
            let place = offset(of: frame)
            let page = place + WriteAheadLog.frameHeaderLength
            checksum = self.checksum(of: place..<place + 8, after: checksum)
            checksum = self.checksum(of: page..<page + pageSize, after: checksum)
            let stored = Checksum(first: number(place + 16), second: number(place + 20))
            guard isOfThisLog(frame), number(place) != 0, stored == checksum else { return frame }
        }
        return frameCount
    }

    /// The frames that are there to their last byte.
    private var frameCount: Int {
        (bytes.count - WriteAheadLog.headerLength) / (WriteAheadLog.frameHeaderLength + pageSize)
    }

    private func offset(of frame: Int) -> Int {
        WriteAheadLog.headerLength + frame * (WriteAheadLog.frameHeaderLength + pageSize)
    }

    /// Whether a frame has the salts of the header.
    private func isOfThisLog(_ frame: Int) -> Bool {
        let place = offset(of: frame)
        return number(place + 8) == number(16) && number(place + 12) == number(20)
    }

    /// Whether a frame is the last one of a transaction: it has the size of the database after it.
    private func commits(_ frame: Int) -> Bool { number(offset(of: frame) + 4) != 0 }

    /// A number of a header, which has the byte order of the network.
    private func number(_ offset: Int) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// The sums of section 4.2, over numbers in the order that the magic number says.
    private func checksum(of range: Range<Int>, after previous: Checksum) -> Checksum {
        var sum = previous
        for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
            sum.first &+= word(place) &+ sum.second
            sum.second &+= word(place + 4) &+ sum.first
        }
        return sum
    }

    private func word(_ offset: Int) -> UInt32 {
        let stored = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return switch order {
        case .littleEndian: UInt32(littleEndian: stored)
        case .bigEndian: UInt32(bigEndian: stored)
        }
    }
}
