import WatchLink

/// The files of the watch: one that is there, and one that arrives, each in a slot of the flash chip.
///
/// It is the receiver of PROTOCOL.md's section "File". `take` checks a frame of the phone's and programs its content. `owed` is the next
/// frame for the phone. `maintain` erases the slot and checks the hash in small steps, between which taps are handled. A watch whose
/// handler takes no files has no memory for them.
struct FileStore: ~Copyable {
    let area: FileArea
    /// The most bytes of a file: what the handler takes, and the chip has room for.
    let limit: Int
    /// One element, or none.
    let work: FixedArray<FileWork>
    /// The header of a file whose slot is erased, or a part of one that is checked.
    let page: FixedArray<UInt8>
    /// What is to be sent, the oldest first.
    let frames: FixedArray<FileHeader>
    private let inPlace = InPlace()

    /// Frames that wait for the radio at once: an answer each to more offers than a phone makes, and those of the transfer.
    private static var mostFrames: Int { 16 }
    /// The most chunks that may come before the phone is told what is written (PROTOCOL.md, "The window").
    static var window: Int { 8 }
    static var pageSize: Int { 256 }

    /// - Parameter limit: the most bytes of a file that the handler takes, 0 for a handler that takes none.
    init(arena: inout MemoryArena, limit: Int, geometry: FlashGeometry) {
        area = FileArea(geometry)
        self.limit = min(limit, area.largestFile)
        work = arena.take(limit > 0 ? 1 : 0, of: FileWork())
        page = arena.take(limit > 0 ? FileStore.pageSize : 0, of: 0)
        frames = arena.take(
            limit > 0 ? FileStore.mostFrames : 0, of: FileHeader(number: 1, step: .done))
    }

    /// The bytes that `init` takes, for a handler that takes files.
    static var memorySize: Int {
        MemoryLayout<FileWork>.stride + pageSize + mostFrames * MemoryLayout<FileHeader>.stride
    }

    /// Whether this watch takes files: its handler does, and its chip has room.
    var takesFiles: Bool { limit > 0 }

    /// The file that is there.
    var stored: StoredFile? { takesFiles ? work[0].stored : nil }

    /// How far the file has come that arrives.
    var progress: WatchFileArrival {
        guard takesFiles else { return .none }
        switch work[0].arrival {
        case .none, .kept: return .none
        case .erasing(let file, _, _), .receiving(let file, _), .judging(let file, _, _):
            return .arriving(written: file.written, of: file.header.length)
        }
    }

    /// Whether `maintain` takes a part of a file into its hash, or judges it.
    var isChecking: Bool {
        guard takesFiles, case .judging = work[0].arrival else { return false }
        return true
    }

    /// Whether there is a file that the handler does not know of; from now on it does.
    mutating func tell() -> Bool {
        guard takesFiles, case .unseen = work[0].notice else { return false }
        work[0].notice = .seen
        return true
    }

    /// When `maintain` goes on that waits for the time at which the chip may be erased again; nil where nothing waits for that.
    var deadline: Instant? {
        guard takesFiles, case .erasing(_, _, next: 0) = work[0].arrival else { return nil }
        return work[0].pace.next
    }

    // MARK: What is to be sent

    /// The next frame to be sent, nil for none.
    var owed: FileHeader? { takesFiles && work[0].frameCount > 0 ? frames[0] : nil }

    /// The radio has taken the frame that was owed.
    mutating func sentFrame() {
        if case .receiving(var file, let number) = work[0].arrival, number == frames[0].number {
            file.unreported = 0
            work[0].arrival = .receiving(file, number: number)
        }
        frames.move(from: 1, to: 0, count: work[0].frameCount - 1)
        work[0].frameCount -= 1
    }

    /// The most frames that follow before the next offer is judged: two of the answer to an offer, and a resume with two progresses and
    /// the end of a transfer whose kept part is wrong.
    private static var mostFollowing: Int { 6 }

    /// Whether frames wait that nobody has fetched, as those of a phone that offers without end.
    var isFull: Bool { work[0].frameCount + FileStore.mostFollowing > frames.count }

    /// Owes a frame. Of two that say how much is written the newer is enough.
    func owe(_ step: FileStep, to number: UInt32) {
        let header = FileHeader(number: number, step: step)
        let last = work[0].frameCount - 1
        if case .progress = step, last >= 0, frames[last].number == number, case .progress = frames[last].step {
            frames[last] = header
            return
        }
        precondition(work[0].frameCount < frames.count, "an offer is judged only where what follows it has room")
        frames[work[0].frameCount] = header
        work[0].frameCount += 1
    }

    /// The link is lost. What has arrived stays for the next one.
    mutating func loseLink() {
        guard takesFiles else { return }
        work[0].frameCount = 0
        work[0].numbers = FileNumbers()
        switch work[0].arrival {
        case .none, .kept: break
        case .erasing: work[0].arrival = .none
        case .receiving(let file, _): work[0].arrival = .kept(file)
        case .judging(let file, _, let checked): work[0].arrival = .judging(file, number: nil, checked: checked)
        }
    }
}

/// What the files need to remember in memory.
struct FileWork: BitwiseCopyable {
    var stored: StoredFile?
    var arrival = FileArrival.none
    /// Whether the handler knows of the file that is there.
    var notice = Notice.seen
    /// The transfer that the handler has cancelled last, 0 for none: the phone may not have heard that, and offer it again.
    var cancelled = UInt64(word: 0)
    var numbers = FileNumbers()
    var digest = SHA256Digest()
    /// A slot is erased as seldom as a bank of the journal.
    var pace = BankPace()
    var frameCount = 0
    /// The identity of the phone whose watch this is, 0 for none.
    var phone = UInt64(word: 0)
    /// The generation of the file that was there last of another phone's, from which the next one's counts on.
    var forgotten: UInt32 = 0

    /// The slot for the next file.
    var free: FileSlot { stored?.slot.other ?? .first }
}
