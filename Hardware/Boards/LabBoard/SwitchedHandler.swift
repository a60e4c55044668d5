import HostCalls
import Watch

/// The handler that the settings have switched on: as it is, or some of its stages in another order and at other
/// places.
struct SwitchedHandler<List: HandlerList>: TapHandler {
    private enum Composition: Sendable {
        /// As the handler composes them itself.
        case own
        /// The same, with a report of when its code begins and returns.
        case reported
        case chosen(StageChoice)
    }

    private let list: List
    private let handler: Int
    private let composition: Composition

    init(_ list: List, settings: FixedArray<UInt32>, arena: inout MemoryArena) {
        self.list = list
        handler = Int(settings[HostBlock.Settings.handler])
        if settings[HostBlock.Settings.stageCount] != HostCall.nothing {
            composition = .chosen(StageChoice(settings, arena: &arena))
        } else {
            composition = settings[HostBlock.Settings.handlerReports] == 0 ? .own : .reported
        }
    }

    var deferredCount: Int {
        switch composition {
        case .own: list.deferredCount(of: handler)
        case .reported: reportedDeferredCount
        case .chosen(let choice): choice.deferredCount
        }
    }

    /// The runtime asks for this at every step, so that this computation is the handler's own code too.
    private var reportedDeferredCount: Int {
        Host.call(.handler, 1)
        let count = list.deferredCount(of: handler)
        Host.call(.handler, 0)
        return count
    }

    func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        switch composition {
        case .own: list.runImmediate(of: handler, tap, on: &watch)
        case .reported:
            Host.call(.handler, 1)
            list.runImmediate(of: handler, tap, on: &watch)
            Host.call(.handler, 0)
        case .chosen(let choice):
            for index in 0..<choice.immediateCount {
                list.runStage(choice.immediate(index), of: handler, tap, on: &watch)
            }
        }
    }

    func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        switch composition {
        case .own: list.runDeferred(index, of: handler, tap, on: &watch)
        case .reported:
            Host.call(.handler, 1)
            list.runDeferred(index, of: handler, tap, on: &watch)
            Host.call(.handler, 0)
        case .chosen(let choice): list.runStage(choice.deferred(index), of: handler, tap, on: &watch)
        }
    }

    static func declare(_ names: inout MessageNames) { List.declare(&names, of: chosenHandler) }

    static var largestFile: Int { List.largestFile(of: chosenHandler) }

    func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
        list.take(message, for: handler, on: &watch)
    }

    func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>) {
        list.press(button, of: handler, on: &watch)
    }
}

/// The place of the handler that is switched on. It decides what the watch has memory for.
///
/// The compiler cannot see that it is safe: the program has one thread, which writes it once, before the watch is made.
nonisolated(unsafe) var chosenHandler = 0

/// The numbers of a handler's stages: the immediate ones first, then the deferred ones.
///
/// Sendable is safe though the compiler cannot see it: only the initialiser writes the memory of the numbers. They are
/// no `InlineArray`, which every tap would copy before it looks at one.
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
