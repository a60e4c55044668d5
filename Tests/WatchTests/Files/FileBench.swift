import DeviceModel
import HostSystem
import WatchLink

@testable import Watch

struct SentFile {
    let label: String
    let content: [UInt8]
    let transfer: UInt64
    var hash: [UInt8]

    init(_ content: [UInt8], label: String = "photo.pbm", transfer: UInt64) {
        (self.label, self.content, self.transfer) = (label, content, transfer)
        hash = SHA256.digest(of: content)
    }
}

/// A watch's file store on a flash chip, and a phone that sends files to it as PROTOCOL.md describes.
struct FileBench<Chip: NORFlash>: ~Copyable {
    private let memory: UnsafeMutableRawBufferPointer
    var store: FileStore
    var flash: Chip
    var now = Instant.start
    private(set) var offered: UInt32 = 0
    private(set) var frames: [FileHeader] = []

    init(_ flash: consuming Chip, limit: Int = 65_536) {
        memory = .allocate(byteCount: FileStore.memorySize + 64, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        var arena = MemoryArena(memory)
        store = FileStore(arena: &arena, limit: limit, geometry: flash.flashGeometry)
        self.flash = flash
        store.mount(of: 1, flash: &self.flash)
    }

    deinit { memory.deallocate() }

    // MARK: The watch

    /// Performs all work of the file store, and records the frames that it sends.
    mutating func settle() {
        repeat {
            while let frame = store.owed {
                frames.append(frame)
                store.sentFrame()
            }
        } while store.maintain(flash: &flash, at: now) || goOnAfterErase() || store.owed != nil
    }

    private mutating func goOnAfterErase() -> Bool {
        flash.finishErase()
        return store.maintain(flash: &flash, at: now)
    }

    mutating func content() -> [UInt8]? {
        guard let stored = store.stored else { return nil }
        var bytes = [UInt8](repeating: 0, count: stored.header.length)
        var span = bytes.mutableSpan
        guard store.read(stored, at: 0, into: &span, flash: &flash) == stored.header.length else { return nil }
        return bytes
    }

    mutating func label() -> String? {
        guard let stored = store.stored, let label = store.label(of: stored, flash: &flash) else { return nil }
        return String(decoding: (0..<label.count).map { label[$0] }, as: UTF8.self)
    }

    /// Returns 1 if the handler must still be told of the stored file, otherwise 0. Later calls for the same file
    /// return 0.
    mutating func tellings() -> Int { store.tell() ? 1 : 0 }

    mutating func cancelOnWatch() -> Int { store.cancel(flash: &flash) ? 1 : 0 }

    // MARK: The phone

    mutating func loseLink() {
        store.loseLink()
        offered = 0
        frames = []
    }

    @discardableResult
    mutating func offer(_ file: SentFile, length: UInt64? = nil) -> ProtocolFault? {
        offered += 1
        return send(FileHeader(number: offered, step: .offer)) { (writer: inout CBORWriter) throws(CBORError) in
            let label = Array(file.label.utf8)
            let offer = FileOffer(
                label: label.span, length: length ?? UInt64(file.content.count), hash: file.hash.span,
                metadata: [UInt8]().span, transfer: file.transfer)
            try offer.encode(into: &writer)
        }
    }

    mutating func chunk(_ content: ArraySlice<UInt8>, at offset: Int, of number: UInt32) -> ProtocolFault? {
        send(FileHeader(number: number, step: .chunk(at: UInt64(offset)))) {
            (writer: inout CBORWriter) throws(CBORError) in
            for byte in content { try writer.raw(byte) }
        }
    }

    mutating func cancel(_ number: UInt32) -> ProtocolFault? {
        send(FileHeader(number: number, step: .cancel(.cancelled))) { (_: inout CBORWriter) throws(CBORError) in }
    }

    mutating func send(
        _ header: FileHeader, _ rest: (inout CBORWriter) throws(CBORError) -> Void
    ) -> ProtocolFault? {
        var bytes = [UInt8](repeating: 0, count: 512)
        var writer = CBORWriter(bytes.mutableSpan)
        do throws(CBORError) {
            try header.encode(into: &writer)
            try rest(&writer)
        } catch {
            preconditionFailure("\(error)")
        }
        return take(Array(bytes[..<writer.count]))
    }

    mutating func take(_ datagram: [UInt8]) -> ProtocolFault? {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, datagram.count))
        defer { copy.deallocate() }
        for (index, byte) in datagram.enumerated() { copy[index] = byte }
        return store.take(FixedArray(base: copy, count: datagram.count), flash: &flash)
    }

    /// Offers a file, and sends its content up to `end`. Calls `settle` before each chunk, but not after the last one.
    /// Returns the fault that the watch reports; nil if there is none.
    mutating func begin(_ file: SentFile, upTo end: Int, chunk size: Int) -> ProtocolFault? {
        if let fault = offer(file) { return fault }
        for start in stride(from: 0, to: end, by: size) {
            settle()
            if let fault = chunk(file.content[start..<start + size], at: start, of: offered) { return fault }
        }
        return nil
    }

    enum End: Equatable {
        case done
        case refused(FileReason)
        case fault(ProtocolFault)
        case silent
    }

    /// Offers a file, and sends its content from the offset that the watch asks for. At most eight chunks are beyond
    /// the progress that the watch has reported.
    mutating func send(_ file: SentFile, chunk size: Int = 497) -> End {
        if let fault = offer(file) { return .fault(fault) }
        let number = offered
        var (next, window, seen): (Int?, Int, Int) = (nil, 0, frames.count)
        while true {
            settle()
            for frame in frames[seen...] where frame.number == number {
                switch frame.step {
                case .resume(let offset): (next, window) = (Int(offset), Int(offset))
                case .progress(let offset): window = Int(offset)
                case .done: return .done
                case .refusal(let reason): return .refused(reason)
                case .offer, .chunk, .cancel: return .silent
                }
            }
            seen = frames.count
            guard let from = next, from < file.content.count, from - window < 8 * size else { return .silent }
            let end = min(from + size, file.content.count)
            if let fault = chunk(file.content[from..<end], at: from, of: number) { return .fault(fault) }
            next = end
        }
    }
}

extension FlashGeometry {
    /// A chip with room for two files of 64 KB each.
    static let withFiles = MemoryFlash.usual.flashGeometry
    /// A chip with room for two files of two sectors each. It is small because tests cut the power at each operation.
    static let withSmallFiles = FlashGeometry(pageSize: 256, sectorSize: 1_024, sectorCount: 14, fileSectorCount: 6)
}
