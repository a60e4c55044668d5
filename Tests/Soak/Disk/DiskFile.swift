import WatchLink

/// A file on a simulated disk. It remembers the unsynced writes, so that a power loss can undo them.
final class DiskFile {
    private struct Pending {
        var offset: Int
        var sizeBefore: Int
        /// The ranges of the old bytes (`before`) and of the new bytes (`after`) in `pendingBytes`.
        var before: Range<Int>
        var after: Range<Int>
    }

    private(set) var bytes: [UInt8]
    private var pending: [Pending] = []
    private var pendingBytes: [UInt8] = []
    var locks = DiskLocks()
    /// The shared-memory index of SQLite's write-ahead log, in regions of equal size.
    private(set) var regions: [UnsafeMutableRawPointer] = []

    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    deinit {
        dropRegions()
    }

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

    func sync() {
        pending.removeAll(keepingCapacity: true)
        pendingBytes.removeAll(keepingCapacity: true)
    }

    /// Simulates a power loss. `random` decides whether each unsynced write is kept or lost as a whole. An unsynced
    /// truncation is undone.
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

    private func replace(_ offset: Int, with added: UnsafeRawBufferPointer) {
        if offset > bytes.count { bytes.append(contentsOf: repeatElement(0, count: offset - bytes.count)) }
        let inside = min(added.count, bytes.count - offset)
        bytes.withUnsafeMutableBytes {
            UnsafeMutableRawBufferPointer(rebasing: $0[offset...]).copyBytes(
                from: UnsafeRawBufferPointer(rebasing: added[..<inside]))
        }
        guard inside < added.count else { return }
        // A write-ahead log grows by pages. Room for a usual log is reserved at once, to avoid copies.
        if bytes.capacity < bytes.count + added.count { bytes.reserveCapacity(max(2 * bytes.count, 1 << 18)) }
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: added[inside...]))
    }

    /// Returns a region of the shared index. If the region is missing and `isWanted`, creates it with zeros.
    /// Returns nil if the region is missing and not wanted.
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
