import WatchLink

/// A file on a simulated disk: what a program reads of it, and what is left of it when the machine loses its power.
final class DiskFile {
    /// A write that no sync has followed.
    private struct Pending {
        var offset: Int
        var before: [UInt8]
        var after: [UInt8]
        var sizeBefore: Int
    }

    private(set) var bytes: [UInt8]
    private var pending: [Pending] = []
    /// The locks on the file, of everybody who has it open.
    var locks = DiskLocks()
    /// The index of a write-ahead log that those who have it open share: regions of one size.
    private(set) var regions: [UnsafeMutableRawPointer] = []

    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    deinit {
        dropRegions()
    }

    /// Copies from `offset` on; returns how many bytes there were.
    func read(_ target: UnsafeMutableRawPointer, _ count: Int, at offset: Int) -> Int {
        let present = max(0, min(count, bytes.count - offset))
        if present > 0 {
            UnsafeMutableRawBufferPointer(start: target, count: present).copyBytes(
                from: bytes[offset..<offset + present])
        }
        return present
    }

    func write(_ source: UnsafeRawPointer, _ count: Int, at offset: Int) {
        let end = offset + count
        let sizeBefore = bytes.count
        let before = offset < sizeBefore ? Array(bytes[offset..<min(end, sizeBefore)]) : []
        if end > sizeBefore { bytes.append(contentsOf: repeatElement(0, count: end - sizeBefore)) }
        let added = UnsafeRawBufferPointer(start: source, count: count)
        bytes.withUnsafeMutableBytes {
            UnsafeMutableRawBufferPointer(rebasing: $0[offset..<end]).copyBytes(from: added)
        }
        pending.append(
            Pending(
                offset: offset, before: before, after: Array(added), sizeBefore: sizeBefore))
    }

    func truncate(to size: Int) {
        guard size < bytes.count else { return }
        pending.append(
            Pending(offset: size, before: Array(bytes[size...]), after: [], sizeBefore: bytes.count))
        bytes.removeLast(bytes.count - size)
    }

    /// What was written is on the disk for good.
    func sync() {
        pending.removeAll(keepingCapacity: true)
    }

    /// The power fails: of each write that no sync has followed nothing or everything is left, as `random` decides.
    func losePower(_ random: inout SplitMix64) {
        let writes = pending
        for write in writes.reversed() {
            if bytes.count < write.sizeBefore {
                bytes.append(contentsOf: repeatElement(0, count: write.sizeBefore - bytes.count))
            }
            bytes.replaceSubrange(write.offset..<write.offset + write.before.count, with: write.before)
            bytes.removeLast(bytes.count - write.sizeBefore)
        }
        for write in writes where random.next() % 2 == 0 && !write.after.isEmpty {
            let end = write.offset + write.after.count
            if end > bytes.count { bytes.append(contentsOf: repeatElement(0, count: end - bytes.count)) }
            bytes.replaceSubrange(write.offset..<end, with: write.after)
        }
        pending = []
    }

    /// The region of the shared index, made of zeros where it is missing and `isWanted`.
    func region(_ number: Int, size: Int, orMake isWanted: Bool) -> UnsafeMutableRawPointer? {
        while regions.count <= number {
            guard isWanted else { return nil }
            let region = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            region.initializeMemory(as: UInt8.self, repeating: 0, count: size)
            regions.append(region)
        }
        return regions[number]
    }

    /// Forgets the shared index: nobody has it open.
    func dropRegions() {
        for region in regions { region.deallocate() }
        regions = []
    }
}
