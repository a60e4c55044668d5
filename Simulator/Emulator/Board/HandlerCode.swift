import DeviceModel
import Watch

/// What the processor has executed.
package struct ExecutedCode: Sendable, Equatable, AdditiveArithmetic {
    package var instructions: Int
    package var cycles: Int
    /// The fewest and the most that the manual allows for these instructions.
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

/// What a handler executes outside of its stages: its own `runImmediate` and `runDeferred`, and the list of its stages. Zero if the
/// image does not report when that begins and returns.
package struct HandlerCode: Sendable, Equatable {
    /// From a touch until the panel was updated.
    package private(set) var immediate = ExecutedCode.zero
    package private(set) var deferred = ExecutedCode.zero

    /// Stages that began between a touch and its update.
    package private(set) var immediateStages = 0

    private var place = Place.elsewhere
    private var wait = Wait.none

    /// The owner of the code that is executed.
    private indirect enum Place: Sendable, Equatable {
        case elsewhere
        case handler(calledFrom: Place)
        case stage(calledFrom: Place)
    }

    /// Whether a wearer waits for the panel.
    private enum Wait: Sendable {
        case none
        case forUpdate
    }

    /// Enters what was executed up to a call.
    ///
    /// - Throws: `.unbalanced` if the runtime would not make this call: a handler that makes it could hide what it executes.
    mutating func enter(_ code: ExecutedCode, upTo call: LabCall) throws(EmulatorError) {
        if case .handler = place {
            switch wait {
            case .none: deferred += code
            case .forUpdate: immediate += code
            }
        }
        switch call {
        case .handler(.begins): place = .handler(calledFrom: place)
        case .handler(.returns):
            guard case .handler(let caller) = place else { throw .unbalanced }
            place = caller
        case .trace(let trace): try enter(trace)
        case .worked, .idle, .started:
            guard place == .elsewhere else { throw .unbalanced }
        case .settings, .description, .name, .exception, .messageWork, .board: break
        }
    }

    private mutating func enter(_ trace: TraceCall) throws(EmulatorError) {
        switch trace {
        case .stageBegan:
            if wait == .forUpdate { immediateStages += 1 }
            place = .stage(calledFrom: place)
        case .stageEnded:
            guard case .stage(let caller) = place else { throw .unbalanced }
            place = caller
        case .mark(let mark, _, _):
            // The runtime's marks of a tap come before and after its handler.
            if case .handler = place, mark == .touch || mark == .handled || mark == .updated { throw .unbalanced }
            switch mark {
            case .touch: wait = .forUpdate
            case .updated: wait = .none
            case .handled, .settled, .durable, .sent, .committed, .acknowledged: break
            }
        case .screenChanged, .moment, .journalFailed: break
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

/// What a program executes for the messages, buttons and files of its handler.
package struct MessageCode: Sendable {
    /// Each run, by `MessageTitle`, without the work of the board.
    package private(set) var runs: [String: [ExecutedCode]] = [:]
    private var current: (title: String, code: ExecutedCode)?

    /// The work that has begun and not ended.
    package var running: String? { current?.title }

    /// Enters what was executed up to a call.
    ///
    /// - Throws: `.unbalanced` if a work ends that has not begun, or begins within another one.
    mutating func enter(_ code: ExecutedCode, upTo call: LabCall) throws(EmulatorError) {
        current?.code += code
        switch call {
        case .messageWork(let title, .begins):
            guard current == nil else { throw .unbalanced }
            current = (title, .zero)
        case .messageWork(let title, .returns):
            guard let current, current.title == title else { throw .unbalanced }
            runs[title, default: []].append(current.code)
            self.current = nil
        case .worked, .idle, .started:
            guard current == nil else { throw .unbalanced }
        case .settings, .description, .name, .exception, .handler, .trace, .board: break
        }
    }
}
