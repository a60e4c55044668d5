import WatchLink

/// The watch without its tap handler: its parts, each with a state of its own. It is what a stage of a handler works on.
public struct WatchCore<B: Board & ~Copyable>: ~Copyable {
    /// The board: a stage may use what is on it.
    public var board: B
    /// What the watch knows: the list, the messages to the phone, the time line.
    var data: WatchData
    /// The screen, and what of it is on the panel.
    var display: Display
    /// What the complication says.
    var complication = ComplicationState()
    /// The taps that are under way.
    var taps: TapLine
    /// What is kept in flash.
    var store: FlashStore
    /// The link to the phone.
    var link: PhoneLink
    private var random: SplitMix64
    /// Where a description of the visible rows is written.
    let descriptionMemory: FixedArray<UInt8>
    private let inPlace = InPlace()

    init(board: consuming B, memory: UnsafeMutableRawBufferPointer, seed: UInt64) {
        var arena = MemoryArena(memory)
        data = WatchData(arena: &arena)
        display = Display(arena: &arena)
        taps = TapLine(arena: &arena)
        store = FlashStore(arena: &arena)
        link = PhoneLink(arena: &arena)
        descriptionMemory = arena.take(WatchLimits.largestDescription, of: 0)
        random = SplitMix64(seed: seed)
        self.board = board
    }

    /// Bytes of memory for everything that is kept, padding included.
    static var memorySize: Int {
        WatchData.memorySize + Display.memorySize + TapLine.memorySize + FlashStore.memorySize
            + PhoneLink.memorySize + WatchLimits.largestDescription + padding
    }

    /// At most seven bytes in front of each of the arrays.
    private static var padding: Int { 18 * 7 }

    /// The number of items that are still to be checked off, those beyond the watch included.
    public var remaining: UInt32 { data.remaining }

    /// Reads the journal, which says who this watch is, and draws the first frame.
    mutating func start() {
        adoptIdentity(trusting: store.mount(into: &data, on: &board))
        restartSession()
        display.setPlaceholder(data.placeholder, rows: data.items.count)
        updateComplication()
        _ = redrawIfStale()
    }

    /// Draws what is stale and sends it to the panel. Returns whether there was anything to do.
    ///
    /// While a row is held the rows stay where they are, whatever the phone says meanwhile.
    @inline(never)
    mutating func redrawIfStale() -> Bool {
        let now = display.showsTime ? board.calendar : nil
        if let now { display.noticeMinute(now) }
        guard display.redraw(data, link.indicator, complication, at: now, holdingRows: taps.holdsRow) else {
            return false
        }
        display.flush(data.items, to: &board)
        return true
    }

    /// Has the complication say what remains and which item comes next.
    mutating func updateComplication() {
        complication.update(remaining: data.remaining, next: data.items.firstWaitingTitle)
    }

    /// When the run loop has something to do even if nothing happens.
    mutating func nextDeadline() -> Instant? {
        earliest(earliest(taps.deadline, nextMinute), link.deadline)
    }

    /// When the face shows the wrong minute, if it is on the panel.
    private var nextMinute: Instant? {
        mutating get {
            guard display.showsTime, let now = board.calendar else { return nil }
            return board.now + .seconds(60 - now.seconds % 60)
        }
    }

    private func earliest(_ left: Instant?, _ right: Instant?) -> Instant? {
        guard let left else { return right }
        guard let right else { return left }
        return min(left, right)
    }

    /// A random word.
    mutating func nextRandomWord() -> UInt32 { random.nextWord() }

    /// Reports that a tap has reached a mark now.
    mutating func mark(_ mark: TapMark, tap: TapNumber) {
        board.trace(.mark(mark, tap: tap, at: board.now))
    }
}
