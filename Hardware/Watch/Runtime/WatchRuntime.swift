import WatchLink

/// The watch: a board, its state, and the handler of a tap on a row.
///
/// The caller has the run loop: `start` once, then `step` forever, with `board.idle` if a step returns `.idle`. A step
/// does one thing and takes input first, so that a tap comes before any waiting work.
public struct WatchRuntime<B: Board & ~Copyable, Handler: TapHandler>: ~Copyable {
    var core: WatchCore<B>
    let handler: Handler

    /// The bytes of memory that the runtime needs.
    public static var memorySize: Int {
        WatchCore<B>.memorySize + MessageNames.need(of: Handler.declare).memorySize
            + (Handler.largestFile > 0 ? FileStore.memorySize : 0)
    }

    /// Makes a watch; `start` then draws it.
    ///
    /// - Parameters:
    ///   - board: the hardware, which the runtime owns from now on.
    ///   - handler: the handler of a tap on a row.
    ///   - memory: at least `memorySize` bytes, aligned to 16, for the runtime alone.
    ///   - seed: randomness for the identity of a watch without one in flash.
    public init(
        board: consuming B, handler: consuming Handler, memory: UnsafeMutableRawBufferPointer, seed: UInt64
    ) {
        core = WatchCore(board: board, memory: memory, seed: seed, for: Handler.self)
        self.handler = handler
    }

    /// The board, for its maker and the run loop.
    public var board: B {
        _read { yield core.board }
        _modify { yield &core.board }
    }

    /// Reads the journal and draws the first frame.
    public mutating func start() {
        core.start(for: Handler.self)
    }

    /// Does the most urgent thing, in this order: input, the held row, a long press, deferred stages, the panel, the
    /// link, the journal.
    public mutating func step() -> NextStep {
        if let input = core.board.nextInput() {
            take(input.input, at: input.time)
            return .again
        }
        if !core.taps.isHeldTapOpen, RowRemoval.finishIfDue(on: &core) { return .again }
        if finishLongPress() || runDeferredStage() || giveMessage() || followSheetRequest() || core.followClock()
            || core.redrawIfStale(for: Handler.self) || core.serviceLink(for: Handler.self) || core.maintainJournal()
            || core.maintainFiles(for: Handler.self)
        {
            return .again
        }
        return .idle(until: core.nextDeadline())
    }

    /// The content of the screen as CBOR, made from the watch's state and not from its pixels (`WatchCore.describe`).
    /// It is in the runtime's own memory, valid until the next call.
    package mutating func description() throws(CBORError) -> FixedArray<UInt8> {
        var buffer = core.descriptionMemory
        var span = buffer.mutableSpan
        return core.descriptionMemory.slice(0..<(try core.describe(into: &span)))
    }
}

/// What the run loop does after a step.
public enum NextStep: Sendable, Equatable, BitwiseCopyable {
    /// Call `step` again at once.
    case again
    /// Call `Board.idle` with this deadline, then `step`.
    case idle(until: Instant?)
}

extension WatchRuntime where B: ~Copyable {
    @inline(never)
    mutating func giveMessage() -> Bool {
        guard let pending = core.nextMessage() else { return false }
        let work = pending.message.work
        core.board.began(work)
        handler.take(pending.message, on: &core)
        core.board.ended(work)
        core.finish(pending)
        return true
    }

    package var screenName: ScreenName { core.display.screen.name }

    package var listTitle: ItemTitle { core.data.title }

    /// Items that are not checked off, those beyond the watch included.
    package var remaining: UInt32 { core.remaining }

    /// Items of the list that the phone has and the watch does not.
    package var more: UInt32 { core.data.more }

    /// 0 on a screen without the list.
    package var firstVisibleRow: Int { core.firstVisibleRow }

    /// The rows of the list with those beyond the panel, or the past items while they are up. Empty off the wrist.
    package var rows: Range<Int> { 0..<(core.isReadable ? core.describedRows.rowCount : 0) }

    package var visibleRows: Range<Int> { core.visibleRows }

    /// Whether the panel shows the present rows: while a row is held, changes of the others wait.
    package var isPanelCurrent: Bool { !core.display.hasStaleRows }

    package func item(row: Int) -> ListItem { core.describedRows[row] }

    package var linkIndicator: LinkIndicator { core.link.indicator }

    /// The watch's own messages that the phone has not acknowledged.
    package var waitingMessages: Int { core.waitingMessages }

    package var isSynchronized: Bool { core.isSynchronized }

    package var notice: StatusNotice { core.notice }

    package var placeholder: EmptyListPlaceholder { core.data.placeholder }

    package var faceStyle: FaceStyle { core.data.settings.face }

    package var clockForm: ClockForm { core.data.settings.clock }

    package var privacy: ComplicationPrivacy { core.display.privacy }

    package var complicationContent: ComplicationContent { mutating get { core.complicationContent } }

    package var sheet: HandlerSheet { core.sheet }

    /// nil while no phone wants to pair.
    package var pairingDigits: UInt32? { core.pairingDigits }

    /// The title on the full-title sheet, nil if that is not up or its item has left the list.
    package var fullTitle: ItemTitle? { core.fullTitle }

    /// nil while the face shows the present or is not up.
    package var faceTravel: FaceTravel? { mutating get { core.faceTravel } }
}
