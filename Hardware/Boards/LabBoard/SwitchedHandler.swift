import HostCalls
import Watch

/// The handler that the settings select: as it is, or with some of its stages in another order and placement.
///
/// The runtime copies its handler before each call. This is only a pointer to the list, so a tap costs the same for any number
/// of handlers. It is Sendable: no thread writes the list.
struct SwitchedHandler<List: HandlerList>: TapHandler, @unchecked Sendable {
    private let list: UnsafePointer<List>
    private let handler: Int
    private let choice: StageChoice?

    /// The caller keeps `list` valid as long as this handler is used.
    init(_ list: UnsafePointer<List>, settings: FixedArray<UInt32>, arena: inout MemoryArena) {
        self.list = list
        handler = Int(settings[HostBlock.Settings.handler])
        choice =
            settings[HostBlock.Settings.stageCount] == HostCall.nothing ? nil : StageChoice(settings, arena: &arena)
    }

    var deferredCount: Int { choice?.deferredCount ?? list.pointee.deferredCount(of: handler) }

    func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        guard let choice else { return list.pointee.runImmediate(of: handler, tap, on: &watch) }
        for index in 0..<choice.immediateCount {
            list.pointee.runStage(choice.immediate(index), of: handler, tap, on: &watch)
        }
    }

    func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        if let choice {
            list.pointee.runStage(choice.deferred(index), of: handler, tap, on: &watch)
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

// The compiler cannot see that these two are safe. The program has one thread, which writes them once, before it makes the
// watch.

/// The index of the selected handler, which determines what the watch reserves memory for.
nonisolated(unsafe) var chosenHandler = 0  // Safe: see above.

/// Whether a handler reports when its own code begins and returns.
nonisolated(unsafe) var handlersReport = false  // Safe: see above.

/// The indices of a handler's stages: first those that run before the update of the panel, then the others.
///
/// It is Sendable: only the initialiser, on one thread, writes the memory. An `InlineArray` would be copied on every tap before
/// a stage is read from it.
private struct StageChoice: BitwiseCopyable, @unchecked Sendable {
    private let stages: FixedArray<UInt8>
    let immediateCount: Int
    let deferredCount: Int

    init(_ settings: FixedArray<UInt32>, arena: inout MemoryArena) {
        stages = arena.take(HostBlock.Settings.mostStages, of: 0)
        let entries =
            HostBlock.Settings.stages..<HostBlock.Settings.stages
            + Int(settings[HostBlock.Settings.stageCount])
        var count = 0
        for index in entries where settings[index] & HostBlock.Settings.deferred == 0 {
            stages[count] = UInt8(truncatingIfNeeded: settings[index])
            count += 1
        }
        immediateCount = count
        for index in entries where settings[index] & HostBlock.Settings.deferred != 0 {
            stages[count] = UInt8(truncatingIfNeeded: settings[index])
            count += 1
        }
        deferredCount = count - immediateCount
    }

    func immediate(_ index: Int) -> Int { Int(stages[index]) }
    func deferred(_ index: Int) -> Int { Int(stages[immediateCount + index]) }
}
