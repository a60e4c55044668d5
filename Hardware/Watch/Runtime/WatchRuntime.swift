import WatchLink

/// The watch: a board, its state, and the handler of a tap on a row.
///
/// The caller has the run loop: `start` once, then `step` for ever, with `board.idle` where a step returns `.idle`. A
/// step does one thing and takes input first, so that a tap comes before any waiting work.
public struct WatchRuntime<B: Board & ~Copyable, Handler: TapHandler>: ~Copyable {
    var core: WatchCore<B>
    let handler: Handler

    /// The bytes of memory that the runtime needs.
    public static var memorySize: Int {
        WatchCore<B>.memorySize + MessageNames.need(of: Handler.declare).memorySize
            + (Handler.largestFile > 0 ? FileStore.memorySize : 0)
    }

    /// A watch on `board`.
    ///
    /// - Parameters:
    ///   - board: the board, which the runtime owns from now on.
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

    /// Does the most urgent thing: input, then the held row, a long press, deferred stages, which the wearer feels, the panel, the link,
    /// the journal.
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

    /// The content of the screen, from the watch's state and not from its pixels, as CBOR of at most 512 bytes in the
    /// runtime's own memory, valid until the next call. `WatchCore.describe` has its form.
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
    /// Makes this the watch that it would be after years of use: the streams of messages go on after high numbers, which
    /// the flash keeps. The phone's database has to have the same numbers.
    ///
    /// - Parameters:
    ///   - issued: the watch's newest message, which the phone has acknowledged.
    ///   - applied: the phone's newest queued message, which the watch has applied.
    /// - Returns: whether it is done: nothing may wait, and the flash has to keep it.
    package mutating func renumber(issued: UInt32, applied: UInt32) -> Bool {
        guard core.data.outbox.isEmpty, core.taps.deferred.isEmpty, core.link.indicator == .down else { return false }
        core.data.renumber(issued: issued, applied: applied)
        return core.store.keep(.positions, room: .made, of: &core.data, on: &core.board)
    }

    /// Gives the handler the next message under a name of its own. Returns whether there was one.
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

    /// The screen that is up.
    package var screenName: ScreenName { core.display.screen.name }

    /// The list's name, for the title bar.
    package var listTitle: ItemTitle { core.data.title }

    /// Items that are not checked off, those beyond the watch included.
    package var remaining: UInt32 { core.remaining }

    /// Items of the list that the phone has and the watch does not.
    package var more: UInt32 { core.data.more }

    /// The row at the top of the panel, 0 on a screen without the list.
    package var firstVisibleRow: Int { core.firstVisibleRow }

    /// The rows of the list, those beyond the panel included, or the past items while they are up; none while the watch is off the
    /// wrist.
    package var rows: Range<Int> { 0..<(core.isReadable ? core.describedRows.rowCount : 0) }

    /// Those that the panel shows.
    package var visibleRows: Range<Int> { core.visibleRows }

    /// Whether the panel shows the rows of the list: while a row is held, changes of the others wait.
    package var isPanelCurrent: Bool { !core.display.hasStaleRows }

    /// The item of one of `rows`.
    package func item(row: Int) -> ListItem { core.describedRows[row] }

    /// What the symbol of the link shows.
    package var linkIndicator: LinkIndicator { core.link.indicator }

    /// The watch's own messages that the phone has not acknowledged.
    package var waitingMessages: Int { core.waitingMessages }

    /// Whether watch and phone are in sync.
    package var isSynchronized: Bool { core.isSynchronized }

    /// What the wearer has to know beyond the state of the link.
    package var notice: WatchNotice { core.notice }

    /// What the screen shows in place of the rows of an empty list.
    package var placeholder: EmptyListPlaceholder { core.data.placeholder }

    /// The face that the wearer has chosen.
    package var faceStyle: FaceStyle { core.data.settings.face }

    /// How the face counts the hours.
    package var clockForm: ClockForm { core.data.settings.clock }

    /// Whether the watch tells what is private: it is on the wrist.
    package var privacy: ComplicationPrivacy { core.display.privacy }

    /// What the complication says now.
    package var complicationContent: ComplicationContent { mutating get { core.complicationContent } }

    /// What the handler's sheet shows.
    package var sheet: HandlerSheet { core.sheet }

    /// The number that the digits of a pairing make; nil while no phone wants to pair.
    package var pairingDigits: UInt32? { core.pairingDigits }

    /// The title on its sheet; nil while that is not up, and when the item has gone from the list.
    package var fullTitle: ItemTitle? { core.fullTitle }

    /// What the face shows of another time; nil while it shows the present and while it is not up.
    package var faceTravel: FaceTravel? { mutating get { core.faceTravel } }
}
