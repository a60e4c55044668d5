import DeviceModel
import HostCalls
import Watch
import WatchLink

/// A processor that runs an image from one host call to the next. It is a value type: a copy continues from the same point.
struct LabMachine {
    private(set) var processor: CortexM4
    /// The call stack, and the cycles of all functions so far.
    private(set) var calls: CallStack
    let functions: FunctionTable
    /// The most instructions in one step of the watch.
    private let stepLimit: UInt64
    private var stepBegan: UInt64 = 0

    /// - Parameters:
    ///   - processor: a processor before its first instruction.
    ///   - stepLimit: the most instructions in one step of the watch, at least 1.
    init(_ processor: CortexM4, _ functions: FunctionTable, stepLimit: UInt64) {
        self.processor = processor
        self.functions = functions
        self.stepLimit = stepLimit
        calls = CallStack(
            functions, at: processor.next, returningTo: processor.register(14) & ~1, CallTree.Spent())
    }

    /// Executes instructions up to the next host call.
    mutating func nextCall() throws(EmulatorError) -> LabCall {
        // The result is stored first: as an argument of `check`, the expression would copy the machine during the run.
        let end = processor.runToCall(upTo: stepBegan + stepLimit, &calls)
        try check(end)
        calls.settle(processor.spent)
        return try LabCall(of: processor)
    }

    /// Executes instructions up to the next host call, without recording functions.
    mutating func nextCallUnattributed() throws(EmulatorError) -> LabCall {
        var observer = NoObserver()
        let end = processor.runToCall(upTo: stepBegan + stepLimit, &observer)
        try check(end)
        return try LabCall(of: processor)
    }

    private func check(_ end: RunEnd) throws(EmulatorError) {
        switch end {
        case .call: break
        case .trapped(let trap): throw .trapped(trap, at: processor.next, function: function)
        case .endless: throw .endlessStep(instructions: stepLimit, function: function)
        }
    }

    /// Continues after the host call, which returns `answer` to the program.
    mutating func answer(_ answer: UInt32) {
        processor.answerBreakpoint(answer)
    }

    /// Register 0: the number of the host call before the answer, and the answer afterwards.
    var answered: UInt32 { processor.register(0) }

    /// Starts the next step: continues after the host call that ended the last one.
    mutating func beginStep(_ answer: UInt32) {
        stepBegan = processor.instructions
        processor.answerBreakpoint(answer)
    }

    mutating func fill(_ block: UInt32, _ words: [UInt32]) throws(EmulatorError) {
        guard processor.memory.write(words: words, at: block) else { throw .unknownCall(processor.register(0)) }
    }

    mutating func write(_ bytes: [UInt8], at address: UInt32) throws(EmulatorError) {
        guard processor.memory.write(bytes, at: address) else { throw .unknownCall(processor.register(0)) }
    }

    /// The number of bytes of the stack that the program has ever used. Unused bytes still hold the paint pattern.
    func used(of stack: Range<UInt32>) -> Int {
        guard let bytes = processor.memory.bytes(at: stack.lowerBound, count: stack.count) else { return 0 }
        let paint = (0..<4).map { UInt8(truncatingIfNeeded: HostCall.stackPaint &>> (8 * $0)) }
        let untouched = bytes.enumerated().prefix { $0.element == paint[$0.offset % 4] }.count
        return stack.count - untouched
    }

    private var function: String { functions.title(at: processor.next) }
}

/// The reason why a run ended: a host call, a trap, or too many instructions.
private enum RunEnd {
    case call
    case trapped(Trap)
    case endless
}

extension CortexM4 {
    fileprivate mutating func runToCall<Observer: FlowObserver>(upTo limit: UInt64, _ observer: inout Observer)
        -> RunEnd
    {
        do throws(Trap) {
            // Instructions have even addresses, so the run never stops at 1.
            _ = try run(upTo: limit, until: 1, &observer)
            return .endless
        } catch {
            return error == .breakpoint(HostCall.breakpoint) ? .call : .trapped(error)
        }
    }
}

extension LabMachine {
    /// Performs a host call on the board, and returns its result to the program.
    ///
    /// - Throws: `.unknownCall` if an argument is out of range.
    mutating func carryOut<Flash: NORFlash & ~Copyable>(
        _ call: HostCall, on board: SimulatedBoard<Flash>
    ) throws(EmulatorError) {
        answer(try result(of: call, on: board))
    }

    private mutating func result<Flash: NORFlash & ~Copyable>(
        of call: HostCall, on board: SimulatedBoard<Flash>
    ) throws(EmulatorError) -> UInt32 {
        let (first, second, third) = (processor.register(1), processor.register(2), processor.register(3))
        let unknown = EmulatorError.unknownCall(call.rawValue)
        switch call {
        case .now: return UInt32(truncatingIfNeeded: board.now.microseconds)
        case .nextInput:
            guard let (input, time) = board.nextInput().map({ ($0.input.words, $0.time.microseconds) }) else {
                return 0
            }
            try fill(
                first,
                [
                    input.kind.rawValue, input.first, input.second, UInt32(truncatingIfNeeded: time),
                    UInt32(truncatingIfNeeded: time >> 32),
                ])
            return 1
        case .touchScanInterval: return UInt32(clamping: board.touchScanInterval.count)
        case .play:
            guard let pattern = UInt8(exactly: first).flatMap(HapticPattern.init(rawValue:)) else { throw unknown }
            board.play(pattern)
        case .wait: board.idle(until: processor.deadline)
        case .beginLines: board.beginLines()
        case .writeLine:
            // Two bytes come before the pixels: the mark and the line's number.
            guard let pixels = processor.memory.bytes(at: second &+ 2, count: 18) else { throw unknown }
            board.writeLine(Int(first), pixels: pixels.span)
        case .finishLines: board.finishLines()
        case .calendar:
            guard let instant = processor.memory.instant(at: first) else { throw unknown }
            let time = board.calendar(at: instant)
            try fill(first, [0, 0, time?.seconds ?? 0])
            return time == nil ? 0 : 1
        case .setCalendar: board.setCalendar(LocalTime(seconds: first))
        case .flashGeometry:
            let geometry = board.flashGeometry
            try fill(
                first,
                [geometry.pageSize, geometry.sectorSize, geometry.sectorCount, geometry.fileSectorCount]
                    .map { UInt32(clamping: $0) })
        case .flashActivity: return board.flashActivity == .erasing ? 1 : 0
        case .readFlash:
            guard third == 0 || processor.memory.bytes(at: second, count: third) != nil else { throw unknown }
            var bytes = [UInt8](repeating: 0, count: Int(third))
            let result = HostFlashAnswer { () throws(FlashError) in
                var span = bytes.mutableSpan
                try board.readFlash(at: Int(first), into: &span)
            }
            if result == .done { try write(bytes, at: second) }
            return result.rawValue
        case .programFlash:
            guard let bytes = processor.memory.bytes(at: second, count: third) else { throw unknown }
            return HostFlashAnswer { () throws(FlashError) in
                try board.programFlash(at: Int(first), bytes.span)
            }.rawValue
        case .beginErase:
            return HostFlashAnswer { () throws(FlashError) in try board.beginErase(sector: Int(first)) }.rawValue
        case .finishErase: board.finishErase()
        case .radioState:
            guard case .up(let connection, let maximumSDU) = board.radioState else { return 0 }
            try fill(first, [connection, UInt32(clamping: maximumSDU)])
            return 1
        case .sendDatagram:
            guard let bytes = processor.memory.bytes(at: first, count: second) else { throw unknown }
            return switch board.sendDatagram(bytes.span) {
            case .sent: 0
            case .busy: 1
            case .refused: 2
            }
        case .receiveDatagram:
            guard var bytes = processor.memory.bytes(at: first, count: second) else { throw unknown }
            var span = bytes.mutableSpan
            guard let length = board.receiveDatagram(into: &span) else { return HostCall.nothing }
            try write(Array(bytes.prefix(length)), at: first)
            return UInt32(clamping: length)
        case .answerPairing:
            guard let said = UInt8(exactly: first).flatMap(PairingAnswer.init(rawValue:)) else { throw unknown }
            board.answerPairing(said)
        case .disconnectRadio: board.disconnectRadio()
        case .settings, .started, .worked, .idle, .description, .name, .exception, .handler, .messageWork, .trace:
            throw unknown
        }
        return 0
    }
}

extension HostFlashAnswer {
    fileprivate init(_ operation: () throws(FlashError) -> Void) {
        do throws(FlashError) {
            try operation()
            self = .done
        } catch {
            switch error {
            case .outOfRange: self = .outOfRange
            case .verifyFailed: self = .verifyFailed
            case .notResponding: self = .notResponding
            }
        }
    }
}

extension SimulatedBoard where Flash: ~Copyable {
    func enter(_ report: TraceCall) {
        switch report {
        case .mark(let mark, let tap, let time): trace(.mark(mark, tap: tap, at: time))
        case .stageBegan(let name, let tap, let time): beginStage(name, tap, at: time)
        case .stageEnded(let name, let tap, let time): endStage(name, tap, at: time)
        case .screenChanged(let time): trace(.screenChanged(at: time))
        case .moment(let moment, let from, let time): trace(.moment(moment, from: from, at: time))
        case .journalFailed(let error, let time): trace(.journalFailed(error, at: time))
        }
    }
}

extension Input {
    fileprivate var words: (kind: HostBlock.InputKind, first: UInt32, second: UInt32) {
        switch self {
        case .touch(let x, let y): (.touch, UInt32(bitPattern: Int32(x)), UInt32(bitPattern: Int32(y)))
        case .moved(let x, let y): (.moved, UInt32(bitPattern: Int32(x)), UInt32(bitPattern: Int32(y)))
        case .lifted(let x, let y): (.lifted, UInt32(bitPattern: Int32(x)), UInt32(bitPattern: Int32(y)))
        case .crown(let detents): (.crown, UInt32(bitPattern: Int32(detents)), 0)
        case .press(let button): (.press, UInt32(button.rawValue), 0)
        case .hold(let button): (.hold, UInt32(button.rawValue), 0)
        case .pairing(.compare(let digits)): (.compareDigits, digits, 0)
        case .pairing(.over): (.pairingOver, 0, 0)
        case .pairing(.open): (.pairingOpen, 0, 0)
        case .pairing(.closed): (.pairingClosed, 0, 0)
        case .wrist(let event): (.wrist, UInt32(event.rawValue), 0)
        case .clock(let form): (.clock, UInt32(form.rawValue), 0)
        }
    }
}
