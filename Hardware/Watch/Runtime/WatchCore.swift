import WatchLink

/// The watch without its tap handler: the board, the data, what is on the panel, and the link to the phone. It is what a
/// stage of a handler works on.
///
/// What it does is in extensions, one file for each concern.
public struct WatchCore<B: Board & ~Copyable>: ~Copyable {
    /// The board: a stage may use what is on it.
    public var board: B
    var framebuffer: Framebuffer
    var data: WatchData
    var journal: Journal
    var session: Session

    var screen: Screen = .list(ListState())
    var stale: StaleRegions = .everything
    var struck: StruckRow = .none
    /// When the row that was tapped last was on the panel as struck.
    var struckShown = Instant.start
    var placeholder: EmptyListPlaceholder = .noListYet
    var complication: ComplicationContent = .placeholder
    /// The most items that remained since the list was last empty: a full ring.
    var fullest: UInt32 = 0
    var targets: TouchTargets
    var targetsBefore: TouchTargets
    var deferred: DeferredQueue
    var connection: RadioConnection = .none
    /// When the session wants to be asked again.
    var linkDeadline: Instant?
    var taps: UInt32 = 0
    /// What the journal says that the phone has acknowledged.
    var keptAcknowledged: UInt32 = 0
    var shownMinute: UInt32 = 0
    var random: SplitMix64
    let received: FixedArray<UInt8>
    /// What is being written, until it is handed on: a record for the journal, a datagram for the radio, a description.
    let scratch: FixedArray<UInt8>
    private let inPlace = InPlace()

    init(board: consuming B, memory: UnsafeMutableRawBufferPointer, seed: UInt64) {
        var arena = MemoryArena(memory)
        framebuffer = Framebuffer(arena: &arena)
        data = WatchData(arena: &arena)
        journal = Journal(arena: &arena)
        deferred = DeferredQueue(arena: &arena)
        targets = TouchTargets(arena: &arena)
        targetsBefore = TouchTargets(arena: &arena)
        received = arena.take(WatchLimits.largestSDU, of: 0)
        scratch = arena.take(WatchLimits.largestSDU, of: 0)
        session = Session(
            identity: LinkIdentity(role: .watch, identity: 1, epoch: 1),
            limits: LinkLimits(largestSDU: UInt32(WatchLimits.largestSDU)))
        self.board = board
        random = SplitMix64(seed: seed)
    }

    /// The number of items that are still to be checked off, those beyond the watch included.
    public var remaining: UInt32 {
        let waiting = UInt32(truncatingIfNeeded: data.items.count) &+ data.more
        return struckCount < waiting ? waiting &- struckCount : 0
    }

    /// Reads the journal, which says who this watch is, and draws the first frame.
    mutating func start() {
        mountJournal()
        restartSession()
        updatePlaceholder()
        updateComplication()
        _ = redrawIfStale()
    }

    /// When the run loop has something to do even if nothing happens.
    mutating func nextDeadline() -> Instant? {
        earliest(earliest(struck.deadline, nextMinute), connection == .none ? nil : linkDeadline)
    }

    private func earliest(_ left: Instant?, _ right: Instant?) -> Instant? {
        guard let left else { return right }
        guard let right else { return left }
        return min(left, right)
    }

    /// Bytes of memory for everything that is kept, padding included.
    static var memorySize: Int {
        Framebuffer.memorySize + WatchData.memorySize + Journal.memorySize + DeferredQueue.memorySize
            + 2 * TouchTargets.memorySize + 2 * WatchLimits.largestSDU + padding
    }

    /// At most seven bytes in front of each of the arrays.
    private static var padding: Int { 18 * 7 }

    /// One while the struck row is on the list. The phone may have taken it off already.
    private var struckCount: UInt32 {
        switch struck {
        case .none: 0
        case .held(let tap, _): row(of: tap.item, near: tap.row) == nil ? 0 : 1
        }
    }

    /// Runs a stage for a tap and reports when it began and ended.
    mutating func run<Stage: TapStage>(_ stage: Stage.Type, for tap: Tap) {
        board.trace(.stageBegan(Stage.name, tap: tap.number, at: board.now))
        Stage.run(tap, on: &self)
        board.trace(.stageEnded(Stage.name, tap: tap.number, at: board.now))
    }

    /// Reports that a tap has reached a mark now.
    mutating func mark(_ mark: TapMark, tap: TapNumber) {
        board.trace(.mark(mark, tap: tap, at: board.now))
    }
}

/// Parts of the panel that no longer show what they should.
enum StaleRegions: UInt8, Sendable, BitwiseCopyable {
    /// None.
    case nothing = 0
    /// The title bar of the list.
    case title = 1
    /// The rows of the list and what belongs to them.
    case rows = 2
    /// All of the list: the title bar and the rows.
    case listScreen = 3
    /// The whole screen, whichever it is.
    case everything = 7

    /// Adds a region to those that are stale already.
    mutating func insert(_ region: StaleRegions) {
        self = StaleRegions(rawValue: rawValue | region.rawValue) ?? .everything
    }

    /// Whether all of `region` is stale.
    func contains(_ region: StaleRegions) -> Bool {
        rawValue & region.rawValue == region.rawValue
    }
}

/// The radio's channel that the session runs over.
enum RadioConnection: Sendable, Equatable, BitwiseCopyable {
    /// There is none.
    case none
    /// The channel with this number takes datagrams.
    case open(UInt32)
    /// The channel with this number is open and had no room for the last datagram.
    case congested(UInt32)
}
