import DeviceModel
import HostCalls
import Watch
import WatchLink

/// A processor that executes an image from one call to the next. It is a value: a copy continues from the same place.
struct LabMachine {
    private(set) var processor: CortexM4
    /// The functions that run, and what they have spent.
    private(set) var calls: CallStack
    let functions: FunctionTable
    /// The most instructions of a step.
    private let patience: UInt64
    private var stepBegan: UInt64 = 0

    /// - Parameters:
    ///   - processor: before the program's first instruction.
    ///   - patience: the most instructions of a step of the program, at least 1.
    init(_ processor: CortexM4, _ functions: FunctionTable, patience: UInt64) {
        self.processor = processor
        self.functions = functions
        self.patience = patience
        calls = CallStack(
            functions, at: processor.next, returningTo: processor.register(14) & ~1, CallTree.Spent())
    }

    /// Executes instructions up to the next call.
    mutating func nextCall() throws(EmulatorError) -> LabCall {
        // Not as an argument of `check`: it would copy the machine for the time of the run.
        let end = processor.runToCall(upTo: stepBegan + patience, &calls)
        try check(end)
        calls.settle(processor.spent)
        return try LabCall(of: processor)
    }

    /// Runs to the next call as `nextCall` does, but records no functions.
    mutating func nextCallUnattributed() throws(EmulatorError) -> LabCall {
        var observer = NoObserver()
        let end = processor.runToCall(upTo: stepBegan + patience, &observer)
        try check(end)
        return try LabCall(of: processor)
    }

    private func check(_ end: RunEnd) throws(EmulatorError) {
        switch end {
        case .call: break
        case .trapped(let trap): throw .trapped(trap, at: processor.next, function: function)
        case .endless: throw .endlessStep(instructions: patience, function: function)
        }
    }

    /// Continues behind the call.
    mutating func answer(_ answer: UInt32) {
        processor.answerBreakpoint(answer)
    }

    /// The last answer; before it, the number of the call.
    var answered: UInt32 { processor.register(0) }

    /// Continues behind a call that ends a step.
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

    /// The bytes of a stack that were ever used: those without paint.
    func used(of stack: Range<UInt32>) -> Int {
        guard let bytes = processor.memory.bytes(at: stack.lowerBound, count: stack.count) else { return 0 }
        let paint = (0..<4).map { UInt8(truncatingIfNeeded: HostCall.stackPaint &>> (8 * $0)) }
        let untouched = bytes.enumerated().prefix { $0.element == paint[$0.offset % 4] }.count
        return stack.count - untouched
    }

    private var function: String { functions.title(at: processor.next) }
}

/// Why a run of an image has ended: at a call to the host, by a trap, or after too many instructions.
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
            // No instruction has an odd address.
            _ = try run(upTo: limit, until: 1, &observer)
            return .endless
        } catch {
            return error == .breakpoint(HostCall.breakpoint) ? .call : .trapped(error)
        }
    }
}

extension LabMachine {
    /// Carries out a call on a board, and answers it.
    mutating func carryOut<Flash: NORFlash & ~Copyable>(
        _ call: BoardCall, on board: SimulatedBoard<Flash>
    ) throws(EmulatorError) {
        answer(try result(of: call, on: board))
    }

    private mutating func result<Flash: NORFlash & ~Copyable>(
        of call: BoardCall, on board: SimulatedBoard<Flash>
    ) throws(EmulatorError) -> UInt32 {
        switch call {
        case .now: return UInt32(truncatingIfNeeded: board.now.microseconds)
        case .nextInput(let block):
            guard let (input, time) = board.nextInput().map({ ($0.input.words, $0.time.microseconds) }) else {
                return 0
            }
            try fill(
                block,
                [
                    input.kind.rawValue, input.first, input.second, UInt32(truncatingIfNeeded: time),
                    UInt32(truncatingIfNeeded: time >> 32),
                ])
            return 1
        case .touchScanInterval: return UInt32(clamping: board.touchScanInterval.count)
        case .play(let number):
            guard let pattern = UInt8(exactly: number).flatMap(HapticPattern.init(rawValue:)) else {
                throw .unknownCall(HostCall.play.rawValue)
            }
            board.play(pattern)
        case .wait(let deadline): board.idle(until: deadline)
        case .beginLines: board.beginLines()
        case .writeLine(let line, let pixels): board.writeLine(line, pixels: pixels.span)
        case .finishLines: board.finishLines()
        case .calendar(let block, let instant):
            let time = board.calendar(at: instant)
            try fill(block, [0, 0, time?.seconds ?? 0])
            return time == nil ? 0 : 1
        case .setCalendar(let seconds): board.setCalendar(LocalTime(seconds: seconds))
        case .trace(let trace): board.enter(trace)
        case .flashGeometry(let block):
            let geometry = board.flashGeometry
            try fill(
                block,
                [geometry.pageSize, geometry.sectorSize, geometry.sectorCount, geometry.fileSectorCount]
                    .map { UInt32(clamping: $0) })
        case .flashActivity: return board.flashActivity == .erasing ? 1 : 0
        case .readFlash(let address, let memory, let count):
            var bytes = [UInt8](repeating: 0, count: count)
            let result = HostFlashAnswer { () throws(FlashError) in
                var span = bytes.mutableSpan
                try board.readFlash(at: address, into: &span)
            }
            if result == .done { try write(bytes, at: memory) }
            return result.rawValue
        case .programFlash(let address, let bytes):
            return HostFlashAnswer { () throws(FlashError) in try board.programFlash(at: address, bytes.span) }.rawValue
        case .beginErase(let sector):
            return HostFlashAnswer { () throws(FlashError) in try board.beginErase(sector: sector) }.rawValue
        case .finishErase: board.finishErase()
        case .radioState(let block):
            guard case .up(let connection, let maximumSDU) = board.radioState else { return 0 }
            try fill(block, [connection, UInt32(clamping: maximumSDU)])
            return 1
        case .sendDatagram(let bytes):
            return switch board.sendDatagram(bytes.span) {
            case .sent: 0
            case .busy: 1
            case .refused: 2
            }
        case .receiveDatagram(let memory, let room):
            var bytes = [UInt8](repeating: 0, count: room)
            var span = bytes.mutableSpan
            guard let length = board.receiveDatagram(into: &span) else { return HostCall.nothing }
            try write(Array(bytes.prefix(length)), at: memory)
            return UInt32(clamping: length)
        case .answerPairing(let number):
            guard let said = UInt8(exactly: number).flatMap(PairingAnswer.init(rawValue:)) else {
                throw .unknownCall(HostCall.answerPairing.rawValue)
            }
            board.answerPairing(said)
        case .disconnectRadio: board.disconnectRadio()
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
    fileprivate func enter(_ report: TraceCall) {
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
        case .wrist(let event): (.wrist, UInt32(event.rawValue), 0)
        case .clock(let form): (.clock, UInt32(form.rawValue), 0)
        }
    }
}
