import WatchLink

/// Receives files from the phone. Keeps the last complete file and the arriving one, each in its own slot of the flash chip.
///
/// This is the receiver of PROTOCOL.md, section "File". `take` checks a frame from the phone and programs its content. `owed`
/// is the next frame for the phone. `maintain` erases the slot and checks the hash. It does so in small steps, so that the
/// watch can handle taps in between.
struct FileStore: ~Copyable {
    let area: FileArea
    /// The maximum length of a file in bytes: the smaller of the handler's limit and the chip's.
    let limit: Int
    /// An array of one element, or empty if the handler takes no files.
    let state: FixedArray<FileState>
    /// Working memory for a page of flash. While a slot is being erased, the first 140 bytes hold the header of the arriving
    /// file.
    let page: FixedArray<UInt8>
    /// The queue of frames for the phone, oldest first. Only the first `FileState.frameCount` elements are in use.
    let frames: FixedArray<FileHeader>
    private let inPlace = InPlace()

    /// The maximum number of queued frames. It is enough for one transfer, and for the answers to more offers than a correct
    /// phone makes at once.
    private static var mostFrames: Int { 16 }
    /// The maximum number of chunks that the phone may send before the watch reports progress (PROTOCOL.md, "The window").
    static var window: Int { 8 }
    static var pageSize: Int { 256 }

    /// `limit` is the length of the longest file that the handler takes, in bytes; 0 if it takes no files.
    init(arena: inout MemoryArena, limit: Int, geometry: FlashGeometry) {
        area = FileArea(geometry)
        self.limit = min(limit, area.largestFile)
        state = arena.take(limit > 0 ? 1 : 0, of: FileState())
        page = arena.take(limit > 0 ? FileStore.pageSize : 0, of: 0)
        frames = arena.take(
            limit > 0 ? FileStore.mostFrames : 0, of: FileHeader(number: 1, step: .done))
    }

    static var memorySize: Int {
        MemoryLayout<FileState>.stride + pageSize + mostFrames * MemoryLayout<FileHeader>.stride
    }

    var takesFiles: Bool { limit > 0 }

    var stored: StoredFile? { takesFiles ? state[0].stored : nil }

    var isChecking: Bool {
        guard takesFiles, case .judging = state[0].arrival else { return false }
        return true
    }

    /// Returns whether the handler must still be told of the stored file. Later calls for the same file return false.
    mutating func tell() -> Bool {
        guard takesFiles, case .unseen = state[0].notice else { return false }
        state[0].notice = .seen
        return true
    }

    /// The time from which `pace` allows the waiting erase. Nil if no erase waits, or if it may begin now.
    var deadline: Instant? {
        guard takesFiles, case .erasing(_, _, next: 0) = state[0].arrival else { return nil }
        return state[0].pace.next
    }

    // MARK: Frames to send

    var owed: FileHeader? { takesFiles && state[0].frameCount > 0 ? frames[0] : nil }

    mutating func sentFrame() {
        if case .receiving(var file, let number) = state[0].arrival, number == frames[0].number {
            file.unreported = 0
            state[0].arrival = .receiving(file, number: number)
        }
        frames.move(from: 1, to: 0, count: state[0].frameCount - 1)
        state[0].frameCount -= 1
    }

    /// How many places of the queue must be free before the watch considers an offer: two for the answer, and four for the
    /// transfer in progress. That transfer may need a progress report, a resume, a second progress report, and a `done` or
    /// refusal.
    private static var mostFollowing: Int { 6 }

    /// Whether the queue has too little room for another offer. Only a faulty phone, which offers files without end, causes
    /// this.
    var isFull: Bool { state[0].frameCount + FileStore.mostFollowing > frames.count }

    /// Queues a frame for the phone. If the last queued frame reports the progress of the same transfer, a newer report replaces
    /// it.
    func owe(_ step: FileStep, to number: UInt32) {
        let header = FileHeader(number: number, step: step)
        let last = state[0].frameCount - 1
        if case .progress = step, last >= 0, frames[last].number == number, case .progress = frames[last].step {
            frames[last] = header
            return
        }
        precondition(state[0].frameCount < frames.count, "an offer is judged only if there is room for another frame")
        frames[state[0].frameCount] = header
        state[0].frameCount += 1
    }

    /// Call when the link is lost. Keeps what has arrived of a file, so that the next link can continue the transfer.
    mutating func loseLink() {
        guard takesFiles else { return }
        state[0].frameCount = 0
        state[0].numbers = FileNumbers()
        switch state[0].arrival {
        case .none, .kept: break
        case .erasing: state[0].arrival = .none
        case .receiving(let file, _): state[0].arrival = .kept(file)
        case .judging(let file, _, let checked): state[0].arrival = .judging(file, number: nil, checked: checked)
        }
    }
}

struct FileState: BitwiseCopyable {
    var stored: StoredFile?
    var arrival = FileArrival.none
    /// `.unseen` if the handler has not been told of the stored file yet.
    var notice = Notice.seen
    /// The `FileOffer.transfer` of the last file that the handler cancelled; 0 for none. If the phone offers that file again,
    /// the watch refuses it.
    var cancelled = UInt64(word: 0)
    var numbers = FileNumbers()
    var digest = SHA256Digest()
    /// Limits how often a slot is erased.
    var pace = BankPace()
    var frameCount = 0
    /// The identity of the phone that the watch belongs to; 0 for none.
    var phone = UInt64(word: 0)
    /// The generation of the last stored file that the watch forgot because it changed to another phone; 0 for none. If no file
    /// is stored, the next file's generation is one higher than this.
    var forgotten: UInt32 = 0

    var free: FileSlot { stored?.slot.other ?? .first }
}

extension FileStore {
    /// Handles a frame from the phone. Returns the protocol error for which the caller must close the link; nil if there is
    /// none.
    @inline(never)
    mutating func take(_ datagram: FixedArray<UInt8>, flash: inout some NORFlash & ~Copyable) -> ProtocolFault? {
        let header: FileHeader
        do throws(CBORError) {
            header = try FileHeader(datagram.span)
        } catch {
            return error == .unexpectedKind ? .unsupported : .malformedFrame
        }
        if let fault = state[0].numbers.receive(header) { return fault }
        switch header.step {
        case .offer: return consider(header.number, datagram, flash: &flash)
        case .chunk(let offset):
            let content = datagram.slice(FileHeader.longestSize..<datagram.count)
            return append(content, at: offset, of: header.number, flash: &flash)
        case .cancel:
            if state[0].arrival.number == header.number { state[0].arrival = .none }
            return nil
        // These frames answer an offer, and the watch makes none. `numbers` has already refused them.
        case .resume, .done, .progress, .refusal: return .brokenTransfer
        }
    }

    @inline(never)
    private mutating func consider(
        _ number: UInt32, _ datagram: FixedArray<UInt8>, flash: inout some NORFlash & ~Copyable
    ) -> ProtocolFault? {
        guard !isFull else { return .windowExceeded }
        do throws(CBORError) {
            let offer = try FileOffer(datagram.span)
            guard FileStore.isLabel(offer.label) else {
                owe(.refusal(.badLabel), to: number)
                return nil
            }
            guard offer.length.highWord == 0, offer.length.lowWord <= UInt32(truncatingIfNeeded: limit) else {
                owe(.refusal(.tooLarge), to: number)
                return nil
            }
            if let stored = state[0].stored, has(offer, stored, flash: &flash) {
                owe(.resume(from: offer.length), to: number)
                owe(.done, to: number)
                return nil
            }
            guard offer.transfer != state[0].cancelled else {
                owe(.refusal(.cancelled), to: number)
                return nil
            }
            begin(number, offer, flash: &flash)
            return nil
        } catch {
            return .malformedFrame
        }
    }

    /// Whether the watch has already stored the offered file. A newer file may have replaced it since. The phone offers such a
    /// file again if it has not received `done`.
    private func has(_ offer: FileOffer, _ stored: StoredFile, flash: inout some NORFlash & ~Copyable) -> Bool {
        offer.transfer == stored.header.before
            || offer.transfer == stored.header.transfer && hasHash(offer.hash, stored.slot, flash: &flash)
    }

    /// Begins a transfer, or continues one from an earlier link. Refuses the offer while another transfer is in progress.
    private mutating func begin(_ number: UInt32, _ offer: FileOffer, flash: inout some NORFlash & ~Copyable) {
        let length = Int(truncatingIfNeeded: offer.length.lowWord)
        switch state[0].arrival {
        case .erasing, .receiving, .judging(_, .some, _): return owe(.refusal(.busy), to: number)
        case .judging(let file, nil, let checked):
            guard offer.transfer == file.header.transfer, hasHash(offer.hash, file.slot, flash: &flash) else {
                return owe(.refusal(.busy), to: number)
            }
            state[0].arrival = .judging(file, number: number, checked: checked)
            return owe(.resume(from: UInt64(word: UInt32(truncatingIfNeeded: file.header.length))), to: number)
        case .kept(var file):
            guard offer.transfer == file.header.transfer, length == file.header.length,
                hasHash(offer.hash, file.slot, flash: &flash)
            else { break }
            file.hasKeptPart = true
            return receive(file, number)
        case .none: break
        }
        let header = FileHeaderPage(
            generation: (state[0].stored?.header.generation ?? state[0].forgotten) &+ 1, transfer: offer.transfer,
            before: state[0].stored?.header.transfer ?? UInt64(word: 0), length: length,
            labelCount: offer.label.count, phone: state[0].phone)
        header.write(hash: offer.hash, label: offer.label, into: page)
        let file = IncomingFile(slot: state[0].free, header: header)
        state[0].arrival = .erasing(file, number: number, next: 0)
    }

    mutating func receive(_ file: IncomingFile, _ number: UInt32) {
        var file = file
        file.unreported = 0
        owe(.resume(from: UInt64(word: UInt32(truncatingIfNeeded: file.written))), to: number)
        if file.isWhole {
            judge(file, number)
        } else {
            state[0].arrival = .receiving(file, number: number)
        }
    }

    private mutating func judge(_ file: IncomingFile, _ number: UInt32) {
        state[0].digest = SHA256Digest()
        state[0].arrival = .judging(file, number: number, checked: 0)
    }

    /// Programs a chunk of the arriving file. Ignores the chunk if its transfer has ended.
    private mutating func append(
        _ content: FixedArray<UInt8>, at offset: UInt64, of number: UInt32, flash: inout some NORFlash & ~Copyable
    ) -> ProtocolFault? {
        guard state[0].arrival.number == number else { return nil }
        guard case .receiving(var file, _) = state[0].arrival, offset.highWord == 0,
            offset.lowWord == UInt32(truncatingIfNeeded: file.written),
            content.count <= file.header.length - file.written
        else { return .brokenTransfer }
        guard file.unreported < FileStore.window else { return .windowExceeded }
        do throws(FlashError) {
            try program(content, at: area.content(file.slot) + file.written, flash: &flash)
            try mark(file, upTo: file.written + content.count, flash: &flash)
        } catch {
            end(number, .failed)
            return nil
        }
        file.written += content.count
        file.unreported += 1
        if file.isWhole {
            judge(file, number)
        } else {
            owe(.progress(to: UInt64(word: UInt32(truncatingIfNeeded: file.written))), to: number)
            state[0].arrival = .receiving(file, number: number)
        }
        return nil
    }

    mutating func end(_ number: UInt32?, _ reason: FileReason) {
        state[0].arrival = .none
        if let number { owe(.refusal(reason), to: number) }
    }

    /// Whether the label is 1 to 64 bytes long, does not begin with a dot, and has no slash or control character.
    private static func isLabel(_ label: Span<UInt8>) -> Bool {
        guard label.count > 0, label.count <= FileHeaderPage.longestLabel, label[0] != UInt8(ascii: ".") else {
            return false
        }
        for index in label.indices
        where label[index] < 0x20 || label[index] == 0x7F || label[index] == UInt8(ascii: "/") {
            return false
        }
        return true
    }
}

struct StoredFile: BitwiseCopyable {
    let slot: FileSlot
    let header: FileHeaderPage
}

enum FileArrival: BitwiseCopyable {
    case none
    /// Part of the file came over an earlier link, perhaps before the watch last started.
    case kept(IncomingFile)
    /// The slot is being erased, and `next` is the first sector whose erase has not begun. The header is still in
    /// `FileStore.page`.
    case erasing(IncomingFile, number: UInt32, next: Int)
    case receiving(IncomingFile, number: UInt32)
    /// All content is in flash, and the watch has hashed the first `checked` bytes. `number` is nil if the link was lost after
    /// the last chunk.
    case judging(IncomingFile, number: UInt32?, checked: Int)

    var number: UInt32? {
        switch self {
        case .none, .kept: nil
        case .erasing(_, let number, _), .receiving(_, let number): number
        case .judging(_, let number, _): number
        }
    }
}

struct IncomingFile: BitwiseCopyable {
    let slot: FileSlot
    let header: FileHeaderPage
    /// Whether a part came over an earlier link. If the hash is wrong, that part may be the cause.
    var hasKeptPart = false
    /// Bytes in flash, from the start of the file.
    var written = 0
    /// Chunks since the watch last reported progress.
    var unreported = 0

    var isWhole: Bool { written == header.length }
}

/// A file that the phone has sent.
public struct WatchFile: Equatable, Sendable, BitwiseCopyable {
    /// Increases by one with each file that the watch stores. If the watch starts without a stored file, the numbers begin
    /// again at 1.
    public let generation: UInt32
    /// The length of the content in bytes.
    public let length: Int
}
