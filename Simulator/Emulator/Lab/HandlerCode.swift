import DeviceModel
import Watch

package struct ExecutedCode: Sendable, Equatable, AdditiveArithmetic {
    package var instructions: Int
    package var cycles: Int
    /// The minimum number of cycles that the processor manual allows for these instructions. `mostCycles` is the maximum.
    package var fewestCycles: Int
    package var mostCycles: Int

    package init(instructions: Int, cycles: Int, fewestCycles: Int, mostCycles: Int) {
        (self.instructions, self.cycles) = (instructions, cycles)
        (self.fewestCycles, self.mostCycles) = (fewestCycles, mostCycles)
    }

    package static let zero = ExecutedCode(instructions: 0, cycles: 0, fewestCycles: 0, mostCycles: 0)

    package var count: CodeCount { CodeCount(instructions: instructions, cycles: cycles) }

    package static func + (one: ExecutedCode, other: ExecutedCode) -> ExecutedCode {
        ExecutedCode(
            instructions: one.instructions + other.instructions, cycles: one.cycles + other.cycles,
            fewestCycles: one.fewestCycles + other.fewestCycles, mostCycles: one.mostCycles + other.mostCycles)
    }

    package static func - (one: ExecutedCode, other: ExecutedCode) -> ExecutedCode {
        ExecutedCode(
            instructions: one.instructions - other.instructions, cycles: one.cycles - other.cycles,
            fewestCycles: one.fewestCycles - other.fewestCycles, mostCycles: one.mostCycles - other.mostCycles)
    }
}

/// The code that a tap handler executes in `runImmediate`, `runDeferred` and `deferredCount`, but outside its stages.
/// `immediate` and `deferred` are zero if the image does not report when these functions begin and return
/// (`HandlerComposition.reported`).
package struct HandlerCode: Sendable, Equatable {
    /// The code that the handler executed between a touch and the update of the panel. For all other times, see `deferred`.
    package private(set) var immediate = ExecutedCode.zero
    package private(set) var deferred = ExecutedCode.zero

    /// The number of stages that began between a touch and the update of the panel.
    package private(set) var immediateStages = 0

    /// The calls into handlers and stages that have not returned, innermost last.
    private var owners: [Owner] = []
    /// True from a touch until the update of the panel.
    private var isAwaited = false

    private enum Owner: Sendable {
        case handler, stage
    }

    /// Adds `code`, which ran since the previous event, if the handler executed it outside its stages.
    ///
    /// - Throws: `.unbalanced` if the runtime never traces `event` at this point. A handler could trace such an event itself to
    ///   hide its own code.
    mutating func enter(_ code: ExecutedCode, upTo event: TracedEvent) throws(EmulatorError) {
        if owners.last == .handler {
            if isAwaited { immediate += code } else { deferred += code }
        }
        switch event {
        case .handler(.begins): owners.append(.handler)
        case .handler(.returns):
            guard owners.popLast() == .handler else { throw .unbalanced }
        case .stepped, .started:
            guard owners.isEmpty else { throw .unbalanced }
        case .stageBegan:
            if isAwaited { immediateStages += 1 }
            owners.append(.stage)
        case .stageEnded:
            guard owners.popLast() == .stage else { throw .unbalanced }
        case .mark(let mark, _, _):
            // The runtime sets these marks outside the handler.
            if owners.last == .handler, mark == .touch || mark == .handled || mark == .updated { throw .unbalanced }
            switch mark {
            case .touch: isAwaited = true
            case .updated: isAwaited = false
            case .handled, .settled, .durable, .sent, .committed, .acknowledged: break
            }
        case .screenChanged, .moment, .journalFailed, .messageWork, .haptic, .input, .datagram, .beginLines, .line,
            .finishLines, .shownLines, .described, .stepping, .name, .named:
            break
        }
    }

    package func since(_ earlier: HandlerCode) -> HandlerCode {
        var rest = HandlerCode()
        rest.immediate = immediate - earlier.immediate
        rest.deferred = deferred - earlier.deferred
        rest.immediateStages = immediateStages - earlier.immediateStages
        return rest
    }
}

package struct MessageCode: Sendable {
    /// The code that ran during each `MessageWork`. The keys are titles from `MessageTitle`. Each array has one element for
    /// each time that the work ran, oldest first.
    package private(set) var runs: [String: [ExecutedCode]] = [:]
    private var current: (title: String, code: ExecutedCode)?

    package var running: String? { current?.title }

    /// Adds `code`, which ran since the previous event, to the running `MessageWork`, if there is one.
    ///
    /// - Throws: `.unbalanced` if `event` is the end of work that has not begun, the beginning of work while other work runs,
    ///   or the end of a step while work runs.
    mutating func enter(_ code: ExecutedCode, upTo event: TracedEvent) throws(EmulatorError) {
        current?.code += code
        switch event {
        case .messageWork(let title, .begins):
            guard current == nil else { throw .unbalanced }
            current = (title, .zero)
        case .messageWork(let title, .returns):
            guard let current, current.title == title else { throw .unbalanced }
            runs[title, default: []].append(current.code)
            self.current = nil
        case .stepped, .started:
            guard current == nil else { throw .unbalanced }
        case .mark, .stageBegan, .stageEnded, .screenChanged, .moment, .journalFailed, .haptic, .input, .datagram,
            .beginLines, .line, .finishLines, .shownLines, .stepping, .described, .handler, .name, .named:
            break
        }
    }
}
