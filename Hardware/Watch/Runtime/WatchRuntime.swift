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
