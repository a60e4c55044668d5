import WatchLink

/// A file on a simulated disk: its present bytes, and those that survive a loss of power.
final class DiskFile {
    /// An unsynced write or truncation.
    private struct Pending {
        var offset: Int
        var sizeBefore: Int
        /// The range of the replaced bytes in `pendingBytes`.
        var before: Range<Int>
        var after: Range<Int>
    }

    private(set) var bytes: [UInt8]
    private var pending: [Pending] = []
    private var pendingBytes: [UInt8] = []
    var locks = DiskLocks()
    /// The shared index of a write-ahead log: regions of one size.
    private(set) var regions: [UnsafeMutableRawPointer] = []

    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    deinit {
        dropRegions()
    }

    /// Copies bytes from `offset` on. Returns their number.
    func read(_ target: UnsafeMutableRawPointer, _ count: Int, at offset: Int) -> Int {
        let present = max(0, min(count, bytes.count - offset))
        if present > 0 {
            UnsafeMutableRawBufferPointer(start: target, count: present).copyBytes(
                from: bytes[offset..<offset + present])
        }
        return present
    }

    func write(_ source: UnsafeRawPointer, _ count: Int, at offset: Int) {
        let added = UnsafeRawBufferPointer(start: source, count: count)
        enter(offset, replaced: max(0, min(count, bytes.count - offset)), added)
        replace(offset, with: added)
    }

    func truncate(to size: Int) {
        guard size < bytes.count else { return }
        enter(size, replaced: bytes.count - size, UnsafeRawBufferPointer(start: nil, count: 0))
        bytes.removeLast(bytes.count - size)
    }

    /// Makes all writes durable.
    func sync() {
        pending.removeAll(keepingCapacity: true)
        pendingBytes.removeAll(keepingCapacity: true)
    }

    /// The power fails: of each write that no sync has followed nothing or everything is left, as `random` decides.
    func losePower(_ random: inout SplitMix64) {
        let (writes, contents) = (pending, pendingBytes)
        sync()
        contents.withUnsafeBytes { contents in
            for write in writes.reversed() {
                replace(write.offset, with: UnsafeRawBufferPointer(rebasing: contents[write.before]))
                bytes.removeLast(bytes.count - write.sizeBefore)
            }
            for write in writes where random.next() % 2 == 0 && !write.after.isEmpty {
                replace(write.offset, with: UnsafeRawBufferPointer(rebasing: contents[write.after]))
            }
        }
    }

    private func enter(_ offset: Int, replaced: Int, _ added: UnsafeRawBufferPointer) {
        let start = pendingBytes.count
        if replaced > 0 { pendingBytes.append(contentsOf: bytes[offset..<offset + replaced]) }
        let middle = pendingBytes.count
        pendingBytes.append(contentsOf: added)
        pending.append(
            Pending(
                offset: offset, sizeBefore: bytes.count, before: start..<middle, after: middle..<pendingBytes.count))
    }

    /// Writes `added` at `offset`. Fills a gap before it with zeros.
    private func replace(_ offset: Int, with added: UnsafeRawBufferPointer) {
        if offset > bytes.count { bytes.append(contentsOf: repeatElement(0, count: offset - bytes.count)) }
        let inside = min(added.count, bytes.count - offset)
        bytes.withUnsafeMutableBytes {
            UnsafeMutableRawBufferPointer(rebasing: $0[offset...]).copyBytes(
                from: UnsafeRawBufferPointer(rebasing: added[..<inside]))
        }
        guard inside < added.count else { return }
        // A write-ahead log grows by pages: there is room for a usual one at once, so that it is not copied as it grows.
        if bytes.capacity < bytes.count + added.count { bytes.reserveCapacity(max(2 * bytes.count, 1 << 18)) }
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: added[inside...]))
    }

    /// A region of the shared index. If it is missing and `isWanted`, it is created with zeros.
    func region(_ number: Int, size: Int, orMake isWanted: Bool) -> UnsafeMutableRawPointer? {
        while regions.count <= number {
            guard isWanted else { return nil }
            let region = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            region.initializeMemory(as: UInt8.self, repeating: 0, count: size)
            regions.append(region)
        }
        return regions[number]
    }

    func dropRegions() {
        for region in regions { region.deallocate() }
        regions = []
    }
}
