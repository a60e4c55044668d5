/// The decoded contents of flash, with an entry for each halfword, because an instruction may begin at any halfword.
///
/// The core reads entries in place. Copying an entry would take the host as long as emulating a typical instruction.
// @unchecked: each value keeps its storage alive, and changes the storage only while no other value shares it.
struct DecodedProgram: @unchecked Sendable {
    struct Entry: Sendable {
        var instruction: Instruction
        var timing: TimingClass
        var length: UInt8
        var isUnaligned: Bool

        init(_ decoded: Decoder.Decoded, at address: UInt32) {
            instruction = decoded.instruction
            timing = TimingClass(decoded.instruction)
            length = decoded.length
            isUnaligned = length == 4 && address & 2 != 0
        }
    }

    private final class Storage {
        let entries: UnsafeMutableBufferPointer<Entry>

        init(_ count: Int) {
            entries = .allocate(capacity: count)
        }

        deinit {
            entries.deallocate()
        }
    }

    private var storage: Storage
    private var (entries, count): (UnsafeMutablePointer<Entry>?, Int)
    private let start: UInt32

    /// - Parameter start: the first address of flash, which is even.
    init(_ flash: [UInt8], from start: UInt32) {
        self.start = start
        count = flash.count / 2
        storage = Storage(count)
        entries = storage.entries.baseAddress
        for index in 0..<count { storage.entries.initializeElement(at: index, to: entry(flash, index)) }
    }

    private func entry(_ flash: [UInt8], _ index: Int) -> Entry {
        func halfword(_ index: Int) -> UInt16 {
            2 * index + 1 < flash.count ? UInt16(flash[2 * index]) | UInt16(flash[2 * index + 1]) &<< 8 : 0
        }
        return Entry(Decoder.decode(halfword(index), halfword(index + 1)), at: start &+ UInt32(2 * index))
    }

    private mutating func change(_ change: (UnsafeMutableBufferPointer<Entry>) -> Void) {
        if !isKnownUniquelyReferenced(&storage) {
            let copy = Storage(count)
            _ = copy.entries.initialize(from: storage.entries)
            storage = copy
            entries = copy.entries.baseAddress
        }
        change(storage.entries)
    }

    mutating func decode(_ flash: [UInt8], _ changed: Range<Int>) {
        // The first changed halfword may be the second one of an instruction.
        let range = max(0, changed.lowerBound / 2 - 1)..<min(count, (changed.upperBound + 1) / 2)
        let fresh = range.map { entry(flash, $0) }
        change { entries in
            for (index, entry) in zip(range, fresh) { entries[index] = entry }
        }
    }

    private func index(of address: UInt32) -> Int? {
        let index = Int((address &- start) &>> 1)
        return index < count ? index : nil
    }

    mutating func restore(_ flash: [UInt8], at address: UInt32) {
        guard let index = index(of: address) else { return }
        let entry = entry(flash, index)
        change { $0[index] = entry }
    }

    /// Replaces the decoded instruction at an address with a stop, at which a run ends.
    mutating func stop(at address: UInt32) {
        guard let index = index(of: address) else { return }
        change { $0[index].instruction.operation = .system(.stop) }
    }

    @inline(__always)
    subscript(_ address: UInt32) -> EntryReference? {
        let index = Int((address &- start) &>> 1)
        guard index < count, let entries else { return nil }
        return EntryReference(entries + index)
    }
}

/// A pointer to a decoded instruction. The storage that holds the instruction must outlive this value.
struct EntryReference {
    private let entry: UnsafePointer<DecodedProgram.Entry>

    @inline(__always)
    init(_ entry: UnsafePointer<DecodedProgram.Entry>) {
        self.entry = entry
    }

    var copy: DecodedProgram.Entry { entry.pointee }
    var operation: Operation { @inline(__always) get { entry.pointee.instruction.operation } }
    var destination: Register { @inline(__always) get { entry.pointee.instruction.destination } }
    var first: Register { @inline(__always) get { entry.pointee.instruction.first } }
    var second: Register { @inline(__always) get { entry.pointee.instruction.second } }
    var third: Register { @inline(__always) get { entry.pointee.instruction.third } }
    var source: Instruction.Source { @inline(__always) get { entry.pointee.instruction.source } }
    var constant: UInt32 { @inline(__always) get { entry.pointee.instruction.constant } }
    var shift: Shift { @inline(__always) get { entry.pointee.instruction.shift } }
    var flags: FlagSetting { @inline(__always) get { entry.pointee.instruction.flags } }
    var indexing: Indexing { @inline(__always) get { entry.pointee.instruction.indexing } }
    var variant: UInt8 { @inline(__always) get { entry.pointee.instruction.variant } }
    var kind: TimingClass.Kind { @inline(__always) get { entry.pointee.timing.kind } }
    var cycles: UInt8 { @inline(__always) get { entry.pointee.timing.cycles } }
    var addressed: UInt16 { @inline(__always) get { entry.pointee.timing.addressed } }
    var written: UInt16 { @inline(__always) get { entry.pointee.timing.written } }
    var length: UInt8 { @inline(__always) get { entry.pointee.length } }
    var isUnaligned: Bool { @inline(__always) get { entry.pointee.isUnaligned } }
}
