import BoardSupport
import Watch

/// Runs the handler that `HandlerSettings` selects. If `HandlerSettings` also selects stages, runs only those stages, in the
/// selected order and placement.
///
/// The runtime copies its handler before each call. This value has only a pointer to the list, so a tap costs the same for any
/// number of handlers. The value is Sendable, because no thread writes the list.
struct SwitchedHandler<List: HandlerList>: TapHandler, @unchecked Sendable {
    private let list: UnsafePointer<List>
    private let handler: Int
    private let choice: StageChoice?

    /// The caller keeps `list` valid as long as this handler is used.
    init(_ list: UnsafePointer<List>) {
        self.list = list
        handler = chosenHandler
        choice = StageChoice()
    }

    var deferredCount: Int { choice?.deferredCount ?? list.pointee.deferredCount(of: handler) }

    func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        guard let choice else { return list.pointee.runImmediate(of: handler, tap, on: &watch) }
        for index in 0..<choice.immediateCount {
            list.pointee.runStage(choice.stage(index), of: handler, tap, on: &watch)
        }
    }

    func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        if let choice {
            list.pointee.runStage(choice.stage(choice.immediateCount + index), of: handler, tap, on: &watch)
        } else {
            list.pointee.runDeferred(index, of: handler, tap, on: &watch)
        }
    }

    static func declare(_ names: inout MessageNames) { List.declare(&names, of: chosenHandler) }

    static var largestFile: Int { List.largestFile(of: chosenHandler) }

    func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
        list.pointee.take(message, for: handler, on: &watch)
    }

    func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>) {
        list.pointee.press(button, of: handler, on: &watch)
    }
}

// The compiler cannot see that these variables are safe. The program has one thread, and writes them only before the watch
// exists.

/// The handler that runs, by its index in the list. The watch reserves memory for this handler's messages and files.
nonisolated(unsafe) var chosenHandler = 0  // Safe: see above.

/// Whether the program sends an event (`TracePort.handler`) when the handler's code begins, and another when it returns.
nonisolated(unsafe) var handlersReport = false  // Safe: see above.

func choiceWord(_ index: Int) -> UInt32 {
    Register(0x1000_1000 + UInt(HandlerSettings.offset) + 4 * UInt(index)).value
}

private struct StageChoice: BitwiseCopyable {
    let immediateCount: Int
    let deferredCount: Int

    /// Reads the counts from UICR. Nil if no stages are selected; the handler then runs unchanged.
    init?() {
        let counts = choiceWord(HandlerSettings.options) &>> 16
        guard counts != HandlerSettings.asItIs else { return nil }
        (immediateCount, deferredCount) = (Int(counts & 0xFF), Int(counts &>> 8))
    }

    /// Returns which stage of the handler runs at position `index`. Positions below `immediateCount` have the immediate
    /// stages, and the deferred stages follow.
    func stage(_ index: Int) -> Int {
        let word = choiceWord(HandlerSettings.stages + index / 4)
        return Int(word &>> (8 &* UInt32(truncatingIfNeeded: index & 3)) & 0xFF)
    }
}
