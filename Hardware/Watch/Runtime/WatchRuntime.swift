import WatchLink

/// The watch: a board, what it knows, and the handler that a tap on a row runs.
///
/// The run loop is the caller's: `start` once, then `step` for ever, and `board.idle` where a step says so. A step does one
/// thing and looks for input first, so that a tap is handled before any work that is waiting.
public struct WatchRuntime<B: Board & ~Copyable, Handler: TapHandler>: ~Copyable {
    /// The watch without its handler: what stages work on.
    var core: WatchCore<B>
    private let handler: Handler

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

    /// Does the most urgent thing there is to do: input, then the struck row, the panel, deferred stages, the link, the
    /// journal.
    public mutating func step() -> NextStep {
        if let input = core.board.nextInput() {
            take(input.input, at: input.time)
            return .again
        }
        if core.removeStruckRowIfDue() || core.redrawIfStale() { return .again }
        if runDeferredStage() || core.keepQueuedMessage() || core.serviceLink() || core.maintainJournal() {
            return .again
        }
        return .idle(until: core.nextDeadline())
    }

    /// Writes what the screen says, from its state and not from its pixels, as CBOR.
    ///
    /// - Returns: the number of bytes written.
    /// - Throws: `CBORError.outOfSpace` where `buffer` is too small; 9,216 bytes are always enough, and 512 for the visible
    ///   rows.
    public mutating func describe(
        _ rows: DescribedRows = .all, into buffer: inout MutableSpan<UInt8>
    ) throws(CBORError) -> Int {
        try core.describe(rows, into: &buffer)
    }

    /// The same of the visible rows, in the runtime's own memory, where it stays until the next step.
    public mutating func description() throws(CBORError) -> FixedArray<UInt8> {
        var buffer = core.scratch
        var span = buffer.mutableSpan
        return core.scratch.slice(0..<(try core.describe(.visible, into: &span)))
    }

    @inline(never)
    private mutating func take(_ input: Input, at time: Instant) {
        switch input {
        case .touch(let x, let y):
            guard let target = core.target(x: x, y: y, at: time) else {
                return core.touchElsewhere(y: y, at: time)
            }
            tap(target, at: time)
        case .crown(let detents):
            core.turnCrown(detents)
        case .press(let button):
            core.press(button, at: time)
        case .pairing(let prompt):
            core.follow(prompt)
        }
    }

    @inline(never)
    private mutating func tap(_ target: TouchTargets.Target, at instant: Instant) {
        guard let tap = core.beginTap(target, at: instant) else { return }
        while core.deferred.isFull { _ = runDeferredStage() }
        handler.runImmediate(tap, on: &core)
        core.mark(.handled, tap: tap.number)
        let shown = core.flushPanel()
        core.struckShown = shown
        core.board.trace(.mark(.updated, tap: tap.number, at: shown))
        if handler.deferredCount > 0 { core.deferred.append(tap) }
    }

    @inline(never)
    private mutating func runDeferredStage() -> Bool {
        guard let (tap, stage) = core.deferred.next(stagesPerTap: handler.deferredCount) else { return false }
        handler.runDeferred(stage, tap, on: &core)
        // What it has drawn is seen at once, and does not make the removal of the row longer.
        core.flushPanel()
        return true
    }
}
