import WatchLink

/// The watch: a board, what it knows, and the handler that a tap on a row runs.
///
/// The run loop is the caller's: `start` once, then `step` for ever, and `board.idle` where a step says so. A step does one
/// thing and looks for input first, so that a tap is handled before any work that is waiting.
public struct WatchRuntime<B: Board & ~Copyable, Handler: TapHandler>: ~Copyable {
    /// The watch without its handler: what stages work on.
    var core: WatchCore<B>
    let handler: Handler

    /// Bytes of memory that the runtime needs for everything it keeps.
    public static var memorySize: Int { WatchCore<B>.memorySize }

    /// A watch on `board`.
    ///
    /// - Parameters:
    ///   - board: the board, which is the runtime's from now on.
    ///   - handler: what a tap on a row does.
    ///   - memory: at least `memorySize` bytes, aligned to 16, that nobody else uses while the runtime exists.
    ///   - seed: randomness for the identity of a watch whose flash holds none.
    public init(
        board: consuming B, handler: consuming Handler, memory: UnsafeMutableRawBufferPointer, seed: UInt64
    ) {
        core = WatchCore(board: board, memory: memory, seed: seed)
        self.handler = handler
    }

    /// The board, for whoever made it.
    public var board: B {
        _read { yield core.board }
        _modify { yield &core.board }
    }

    /// Reads the journal and draws the first frame.
    public mutating func start() {
        core.start()
    }

    /// Does the most urgent thing there is to do: input, then the held row, the panel, deferred stages, the link, the
    /// journal.
    public mutating func step() -> NextStep {
        if let input = core.board.nextInput() {
            take(input.input, at: input.time)
            return .again
        }
        if RowRemoval.finishIfDue(on: &core) || core.redrawIfStale() { return .again }
        if runDeferredStage() || core.keepQueuedMessage() || core.serviceLink() || core.maintainJournal() {
            return .again
        }
        return .idle(until: core.nextDeadline())
    }

    /// What the screen says, from the watch's state and not from its pixels, as CBOR of at most 512 bytes in the runtime's own
    /// memory, where it stays until the next call. `WatchCore.describe` has its form.
    public mutating func description() throws(CBORError) -> FixedArray<UInt8> {
        var buffer = core.descriptionMemory
        var span = buffer.mutableSpan
        return core.descriptionMemory.slice(0..<(try core.describe(into: &span)))
    }
}
