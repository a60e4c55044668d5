import DeviceModel
import HostSystem
import WatchLink

/// Runs a script on an emulated watch. The watch's time passes only while a command runs. So a script prints the same bytes on
/// every host, unless a debugger or a phone in another process takes part.
package struct MachineRunner {
    package enum Progress: Sendable, Equatable {
        case continues
        case quit
    }

    /// The last touch, press of a button or turn of the crown. `expect updated` measures its effect on the panel.
    struct Touch {
        let before: Machine
        /// The cycle at which the touch controller's interrupt line reported the touch. For a button, the crown or a touch
        /// without a report, this is the cycle of the input.
        var start: UInt64
        var writes: [PanelWrite] = []
    }

    /// The maximum time that the machine runs before the runner reads its output: 10 ms, in cycles.
    static let slice: UInt64 = 640_000
    /// The minimum time for which the motor must have power to count as one run: 1 ms, in cycles. A motor that has power for a
    /// shorter time does not move.
    private static let shortestRun: UInt64 = 64_000
    /// The maximum time that the runner waits for the touch controller's interrupt line to fall: 100 ms, in cycles.
    private static let longestScan: UInt64 = 64_000 * 100

    package internal(set) var machine: Machine
    /// The phone at the other end of the serial line. Nil if the line is a console, whose text the runner prints.
    var phoneLine: PhoneLine?
    let output: (String) -> Void
    private let reader: ScriptReader<MachineCommand>
    private var blocks = ScriptBlocks<MachineCommand>()
    private var line = 0
    var place: ScriptPlace
    var touch: Touch?
    private var film: PanelFilm?
    /// The number of times that the motor has run since the script began, or since the last `expect motor`.
    var motorRuns = 0
    private var motorStart: UInt64?
    /// The cycle at which the last changed pixel had passed the panel's bus. Nil until a pixel changes.
    private var lastChange: UInt64?
    /// The cycle of the last input, or of the arrival of the last change of the phone's list.
    var lastInput: UInt64 = 0
    private var console = ""
    private var consoleLine: [UInt8] = []
    private var resetsTold = 0
    private var isOffTold = false
    private var isFingerDown = false
    /// Whether the firmware has ended with status 0, or the debugger has ended the machine.
    var hasEnded = false
    /// The central's events since the last `phone` command began, without notifications and indications.
    var events: [CentralEvent] = []
    var services: [CentralService] = []
    let seed: UInt64
    private let debugger: DebuggerPort?
    /// Reads what the firmware prints through SEGGER RTT. Nil if the runner was created without `hasConsole`.
    private var transfers: TransferConsole?

    /// - Parameters:
    ///   - phone: the phone at the other end of the serial line; nil if the line is a console, whose text the runner prints.
    ///   - file: the script's path; if the script is not a file, a name to show in errors. Relative paths in the script
    ///     start at the script's directory.
    ///   - seed: determines the random numbers of the simulated Bluetooth central.
    ///   - hasConsole: whether the runner prints what the firmware writes through SEGGER RTT.
    package init(
        _ machine: Machine, phone: PhoneLine? = nil, file: String, seed: UInt64 = 0, debugger: DebuggerPort? = nil,
        hasConsole: Bool = false, output: @escaping (String) -> Void
    ) {
        (self.machine, phoneLine, self.seed, self.debugger, self.output) = (machine, phone, seed, debugger, output)
        transfers = hasConsole ? TransferConsole() : nil
        reader = ScriptReader(file: file)
        place = ScriptPlace(file: file, line: 0)
        if let debugger { tell("gdb: target remote localhost:\(debugger.port)") }
    }

    package mutating func run(script text: String) throws(ScriptError) {
        let statements = try reader.statements(in: text)
        do throws(ScriptError) {
            _ = try run(statements)
        } catch {
            // The recording shows the failure. If it cannot be written, the first error counts.
            try? endFilm()
            throw error
        }
        try finish()
    }

    /// Runs the script's next line. A line inside a `repeat` block runs when the block ends. After the last line, the caller
    /// calls `finish`.
    package mutating func run(line text: String) throws(ScriptError) -> Progress {
        line += 1
        try reader.read(line: text, number: line, into: &blocks)
        guard blocks.depth == 0 else { return .continues }
        return try run(blocks.take())
    }

    package mutating func finish() throws(ScriptError) {
        try blocks.requireEnd()
        if film != nil { try endFilm() }
    }

    private mutating func run(_ statements: [ScriptStatement<MachineCommand>]) throws(ScriptError) -> Progress {
        for statement in statements {
            if case .repeat(let times, let inner) = statement.command.action {
                for _ in 0..<times where try run(inner) == .quit { return .quit }
                continue
            }
            place = statement.place
            let result = try run(statement.command.action)
            tell(statement.command.text + (result.map { ": \($0)" } ?? ""))
            if statement.command.action == .quit || hasEnded { return .quit }
        }
        return .continues
    }

    /// Runs a command. Returns the result to print on the command's line; nil if there is none.
    private mutating func run(_ action: MachineCommand.Action) throws(ScriptError) -> String? {
        switch action {
        case .press(let x, let y, let length):
            try begin(.touchDown(x: x, y: y))
            try pass(length)
            try lift()
        case .touch(let x, let y):
            if touch != nil, isFingerDown {
                try apply(.touchMove(x: x, y: y))
            } else {
                try begin(.touchDown(x: x, y: y))
            }
            isFingerDown = true
        case .lift: try lift()
        case .swipe(let direction): try swipe(direction)
        case .button(let button, let length):
            try begin(.press(button))
            try pass(length)
            try apply(.release(button))
        case .crown(let detents): try begin(.turnCrown(detents: detents))
        case .battery(let percent): try change(.battery(percent: percent))
        case .charger(let charger): try change(.charger(charger))
        case .tilt: try change(.motion(.tilt))
        case .steps(let count): try change(.motion(.steps(count)))
        case .wait(let length): try pass(length)
        case .waitUntil(let condition, let limit): return try wait(until: condition, within: limit)
        case .screenshot(let file): try writeScreenshot(place.path(of: file))
        case .record(.begin(let file)):
            if let film { throw error(.recordsAlready(file: film.file)) }
            film = PanelFilm(file: place.path(of: file), machine.board.picture, at: machine.now)
        case .record(.end):
            guard film != nil else { throw error(.recordsNothing) }
            try endFilm()
        case .expect(let expectation): return try check(expectation)
        case .registers: return tellRegisters()
        case .phone(let action): return try phone(action)
        case .list(let edit): try change(edit)
        case .loss(let perMillion):
            try requireRadio()
            machine.part.air.faults.lossPerMillion = perMillion
        case .range(let isIn):
            try requireRadio()
            machine.part.air.faults.isInRange = isIn
        case .absent(let parts): machine.part.board.absent.insert(parts)
        case .repeat, .quit: break
        }
        return nil
    }

    // MARK: Inputs

    package mutating func apply(_ input: WearerInput) throws(ScriptError) {
        do throws(EmulatorError) { try machine.apply(input) } catch { throw self.error(.other("\(error)")) }
        lastInput = machine.now
    }

    /// Applies an input that `expect updated` does not measure, such as a new battery level. Discards the last touch, because
    /// the input may change the panel too.
    private mutating func change(_ input: WearerInput) throws(ScriptError) {
        touch = nil
        try apply(input)
    }

    /// Applies an input that `expect updated` measures: a touch, the press of a button, or a turn of the crown. Keeps a copy of
    /// the machine from before the input. After a touch, waits until the touch controller reports the finger.
    private mutating func begin(_ input: WearerInput) throws(ScriptError) {
        let begun = Touch(before: machine, start: machine.now)
        try apply(input)
        touch = begun
        guard case .touchDown = input, let edge = try awaitReport() else { return }
        touch?.start = edge
    }

    /// Waits until the touch controller reports that the finger has come down or was lifted. Returns the cycle at which the
    /// controller's interrupt line falls; nil if it does not fall within 100 ms.
    private mutating func awaitReport() throws(ScriptError) -> UInt64? {
        let end = machine.now + MachineRunner.longestScan
        var wasLow = isTouchLineLow
        while machine.board.due < end, !hasEnded {
            let due = machine.board.due
            try advance(to: due + 1)
            if isTouchLineLow, !wasLow { return due }
            wasLow = isTouchLineLow
        }
        return nil
    }

    private var isTouchLineLow: Bool {
        let (line, inputs): (UInt32, PinLevels) = (1 << UInt32(BoardPin.touchInterrupt), machine.board.inputs)
        return inputs.driven & line != 0 && inputs.levels & line == 0
    }

    private mutating func swipe(_ direction: MachineCommand.Direction) throws(ScriptError) {
        let (width, height) = machine.board.model.panelSize
        let (x, y, reach) = (width / 2, height / 2, min(width, height) / 3)
        let (right, down) =
            switch direction {
            case .left: (-1, 0)
            case .right: (1, 0)
            case .up: (0, -1)
            case .down: (0, 1)
            }
        let start = machine.now
        try begin(.touchDown(x: x - right * reach, y: y - down * reach))
        let steps = Int(MachineCommand.swipeTime.count / 10_000)
        for step in 1...steps {
            try advance(to: start + UInt64(step) * MachineRunner.slice)
            let part = 2 * reach * step / steps - reach
            try apply(.touchMove(x: x + right * part, y: y + down * part))
        }
        try advance(to: machine.now + MachineRunner.slice)
        try lift()
    }

    private mutating func lift() throws(ScriptError) {
        try apply(.touchUp)
        isFingerDown = false
        _ = try awaitReport()
    }

    // MARK: Time

    mutating func pass(_ length: Microseconds) throws(ScriptError) { try advance(to: machine.now + length.count * 64) }

    /// Runs the machine until `cycle`, and prints what happens. Returns early if the firmware ends, or if a debugger holds the
    /// machine and `waits` is false.
    package mutating func advance(to cycle: UInt64, waits: Bool = true) throws(ScriptError) {
        while machine.now < cycle, !hasEnded {
            guard answerDebugger(waiting: waits ? 1_000 : 0) else {
                if waits { continue } else { return }
            }
            let next = min(cycle, (machine.now / MachineRunner.slice + 1) * MachineRunner.slice)
            let end = min(next, phoneLine?.due ?? .max)
            let stop = debugger.map { $0.run(&machine, until: end) } ?? machine.run(until: end)
            try look(stop)
        }
    }

    /// Answers the debugger. While the debugger holds the machine, waits at most `milliseconds` for a command. Returns whether
    /// the machine may run.
    package mutating func answerDebugger(waiting milliseconds: CInt) -> Bool {
        guard let debugger else { return true }
        if let news = debugger.serve(&machine, waiting: debugger.holds ? milliseconds : 0) {
            hasEnded = hasEnded || news == .ended
            tell(news.rawValue)
        }
        return !debugger.holds
    }

    private mutating func look(_ stop: Machine.Stop?) throws(ScriptError) {
        let writes = machine.part.board.takePanelWrites()
        if let change = writes.last(where: { $0.change != nil })?.change { lastChange = change.last }
        touch?.writes += writes
        film?.show(machine.board.picture, at: machine.now)
        for edge in machine.part.board.motor.takeEdges() { tell(edge) }
        hear(machine.takeOutput())
        if phoneLine != nil { phoneLine?.exchange(with: &machine) } else { hear(machine.part.takeSerial()) }
        if let text = transfers?.take(from: &machine) { hear(text) }
        if machine.part.air.central != nil { hear(machine.part.air.takeCentralEvents()) }
        for reset in machine.resets.dropFirst(resetsTold) {
            tell(CrashReport.line(reset, in: machine), at: reset.cycle)
        }
        resetsTold = machine.resets.count
        if machine.part.isOff, !isOffTold {
            tell("System OFF: only a pin, such as the button's, starts the firmware again")
        }
        isOffTold = machine.part.isOff
        if let fault = machine.takeFault() {
            let lines = CrashReport.lines(fault, in: machine)
            tell(lines[0], at: fault.cycle)
            for line in lines.dropFirst() { output("           \(line)\n") }
            guard debugger?.showFault() == true else { throw error(.other(lines[0])) }
        }
        guard let stop else { return }
        if stop == .exited(0) {
            hasEnded = true
            return tell("the firmware ended")
        }
        throw error(.other(CrashReport.line(stop, in: machine)))
    }

    private mutating func tell(_ edge: Motor.Edge) {
        switch edge {
        case .started(let cycle): motorStart = cycle
        case .stopped(let cycle):
            let start = motorStart ?? cycle
            motorStart = nil
            // A shorter time moves no motor, for example the level of the pin before the firmware sets it.
            guard cycle - start >= MachineRunner.shortestRun else { return }
            motorRuns += 1
            tell("motor for \(MachineRunner.milliseconds(cycle - start)) ms", at: cycle)
        }
    }

    private mutating func hear(_ bytes: [UInt8]) {
        for byte in bytes {
            if byte != UInt8(ascii: "\n") && consoleLine.count < 1_000 {
                consoleLine.append(byte)
                continue
            }
            let text = String(decoding: consoleLine, as: UTF8.self)
            console += text + "\n"
            consoleLine = []
            tell("console: \(SanitizedLine(text))")
        }
    }

    private mutating func wait(
        until condition: MachineCommand.Condition, within limit: Microseconds
    ) throws(ScriptError) -> String? {
        let end = machine.now + limit.count * 64
        while true {
            switch condition {
            case .asleep where !isAwake: return nil
            case .drawn:
                if let last = lastChange, machine.now >= max(last, lastInput) + PanelUpdate.pause,
                    machine.board.picture.isDrawn
                {
                    return "last pixel at \(CrashReport.seconds(last)) s"
                }
            case .console(let text) where (console + String(decoding: consoleLine, as: UTF8.self)).contains(text):
                console = ""
                return nil
            case .left(let count) where try countLeft() == count: return nil
            case .asleep, .console, .left: break
            }
            guard machine.now < end, !hasEnded else {
                let found = if case .left = condition { "\(try countLeft())" } else { found + busyLoop(machine) }
                throw error(.expectationFailed(expected: condition.words(limit), found: found))
            }
            try advance(to: min(end, machine.now + MachineRunner.slice))
        }
    }

    var isAwake: Bool { !machine.board.picture.isDark }

    /// Executes a copy of the machine for a second. If the core never sleeps, returns text for the end of an error: a
    /// semicolon, and the functions that take most of the time. Otherwise, returns an empty text.
    func busyLoop(_ machine: Machine) -> String {
        var machine = machine
        machine.removeStops()
        return BusyLoop(machine).map { "; \($0)" } ?? ""
    }

    private var found: String { isAwake ? "a panel that is not dark" : "a dark panel" }

    // MARK: Lines

    /// Prints a text with the time of `cycle`; nil means the present time.
    func tell(_ text: String, at cycle: UInt64? = nil) {
        let time = CrashReport.seconds(cycle ?? machine.now)
        output(String(repeating: " ", count: max(0, 9 - time.count)) + "\(time)  \(text)\n")
    }

    static func milliseconds(_ cycles: UInt64) -> String {
        let tenths = (cycles + 3_200) / 6_400
        return "\(tenths / 10).\(tenths % 10)"
    }

    private func tellRegisters() -> String {
        let unmodelled = machine.part.unmodelled
        for access in unmodelled { output("           \(CrashReport.line(access, in: machine))\n") }
        return unmodelled.isEmpty ? "all that were used are modelled" : "\(unmodelled.count) above"
    }

    func error(_ problem: ScriptError.Problem) -> ScriptError { ScriptError(problem, at: place) }

    // MARK: Files

    private func writeScreenshot(_ file: String) throws(ScriptError) {
        let picture = machine.board.picture.colours
        try write(file) { () throws(PictureError) in try PortableNetworkGraphics.file(picture) }
    }

    private mutating func endFilm() throws(ScriptError) {
        guard let film else { return }
        self.film = nil
        let now = machine.now
        try write(film.file) { () throws(PictureError) in try film.animation(until: now) }
    }

    private func write(_ file: String, _ picture: () throws(PictureError) -> [UInt8]) throws(ScriptError) {
        let bytes: [UInt8]
        do throws(PictureError) { bytes = try picture() } catch {
            throw self.error(.cannotWrite(file: file, reason: "\(error)"))
        }
        do throws(DeviceModelError) { try HostFile.write(bytes, to: file) } catch {
            throw self.error(.cannotWrite(file: file, reason: error.reason))
        }
    }
}

extension MachineCommand.Condition {
    fileprivate func words(_ limit: Microseconds) -> String {
        let what =
            switch self {
            case .asleep: "a dark panel"
            case .drawn: "a picture that stays for 250 ms"
            case .console(let text): "\"\(text)\" on the console"
            case .left(let count): "\(count) open items on the phone's list"
            }
        return "\(what) within \(limit.count / 1_000) ms"
    }
}
