import Glibc
import Watch
import WatchLink

/// Runs a script on a watch.
///
/// A command that reads the screen (`expect`, `describe`, `screenshot`, `wait until …`) first waits until the watch has handled
/// every earlier input. The end of the script waits for this too. A touch first waits until the watch has handled earlier
/// inputs of the crown and the buttons, and until the panel has not changed for one scan of the touch controller. A touch
/// directly after another touch does not wait: both refer to the same picture.
///
/// If a `tap` hit nothing, the script fails at the next command that waits for the watch, or at the end of the script.
package struct ScriptRunner {
    /// How long to wait until the watch handles its next input: 300 s, because an emulator on a busy machine is slow.
    private static let handlingLimit = Microseconds.seconds(300)

    /// How long a `phone` command waits until the watches have received its change. After that time, the script continues.
    static let deliveryLimit = Microseconds.seconds(300)

    package enum Progress: Sendable, Equatable {
        case continues
        case quit
    }

    /// What the script knows about the panel. Unless this is `current`, the next touch first waits for an unchanged panel.
    enum SeenScreen {
        case current(ScreenDescription)
        case outdated
        /// The last input was not a tap, or it was a tap on a past item. The next touch waits until the watch has handled it.
        case outdatedByInput
    }

    let device: any WatchDevice
    let phone: (any ScriptPhone)?
    let screenshotScale: Int
    private let endsOwnRecording: Bool
    var hasBegunRecording = false
    private let parser: ScriptParser
    let output: (String) -> Void
    var seen = SeenScreen.outdated
    /// Touches whose results are not known yet, oldest first.
    var touches: [PendingTouch] = []
    /// How many haptic patterns the watch had played at the script's start, or at its last `expect haptics`.
    var hapticsBefore: Int
    var place: ScriptPlace
    private var blocks = ScriptBlocks<ScriptCommand>()
    private var line = 0

    /// - Parameters:
    ///   - file: the script's name, which errors show. The file names in the script are relative to its directory.
    ///   - phone: the phone that the `phone` commands change. Nil if the script has none.
    ///   - screenshotScale: in a screenshot, a pixel of the panel becomes a square with this number of pixels on each side, 1
    ///     to 16.
    ///   - endsOwnRecording: whether the end of the script also ends a recording that the script started.
    ///   - output: receives the text that commands such as `describe` print, in whole lines.
    package init(
        _ device: any WatchDevice, file: String, phone: (any ScriptPhone)? = nil, screenshotScale: Int = 1,
        endsOwnRecording: Bool = true, output: @escaping (String) -> Void
    ) {
        self.device = device
        self.endsOwnRecording = endsOwnRecording
        self.phone = phone
        self.screenshotScale = screenshotScale
        self.output = output
        parser = ScriptParser(file: file)
        place = ScriptPlace(file: file, line: 0)
        hapticsBefore = device.snapshot.haptics.count
    }

    /// Runs a whole script. Parses every line before it runs the first command. Returns when the watch has handled every input
    /// of the script.
    package mutating func run(script text: String) throws(ScriptError) {
        let statements = try parser.statements(in: text)
        try check(statements)
        do throws(ScriptError) {
            switch try run(statements) {
            case .continues: try finish()
            case .quit: try endOwnRecording()
            }
        } catch {
            // The recording shows the failure, so it is written too. If the write fails, the first error is thrown.
            try? endOwnRecording()
            throw error
        }
    }

    /// Runs one line of a script that arrives line by line. A `repeat` runs when its `end` arrives. After the last line, the
    /// caller calls `finish`.
    package mutating func run(line text: String) throws(ScriptError) -> Progress {
        line += 1
        try parser.read(line: text, number: line, into: &blocks)
        guard blocks.depth == 0 else { return .continues }
        let statements = blocks.take()
        try check(statements)
        return try run(statements)
    }

    package mutating func finish() throws(ScriptError) {
        try blocks.requireEnd()
        _ = try settled()
        try endOwnRecording()
    }

    private mutating func run(_ statements: [ScriptStatement<ScriptCommand>]) throws(ScriptError) -> Progress {
        for statement in statements where try run(statement) == .quit { return .quit }
        return .continues
    }

    private mutating func run(_ statement: ScriptStatement<ScriptCommand>) throws(ScriptError) -> Progress {
        place = statement.place
        switch statement.command {
        case .tap(let row, let mayMiss): try touch(.tap(row: row - 1), row: mayMiss ? nil : row)
        case .touch(let x, let y): try touch(.tap(x: x, y: y))
        case .drag(let start, let end, let length): try drag(from: start, to: end, over: length)
        case .swipe(let swipe):
            let (start, end) = swipe.pixels
            try drag(from: start, to: end, over: ScriptRunner.swipeTime)
        case .holdRow(let row, let length): try holdRow(row, for: length)
        case .crown(let detents): act(.crown(detents: detents))
        case .press(let button): act(.press(button))
        case .hold(let button):
            act(.press(button))
            act(.hold(button))
        case .wrist(let event): act(.wrist(event))
        case .hours(let form): act(.clock(form))
        case .repeat(let times, let statements):
            for _ in 0..<times where try run(statements) == .quit { return .quit }
        case .quit:
            _ = try settled()
            return .quit
        case .wait, .waitUntil, .expect, .phone, .screenshot, .record, .time, .restart, .reset, .save, .load, .battery,
            .describe, .pause, .resume, .step, .speed, .fault:
            try obey(statement.command)
            if case .current = seen { seen = .outdated }
        }
        return .continues
    }

    /// Performs a command other than an input of the wearer. `check` has already thrown if the command needs a phone or a
    /// real-time clock that does not exist. If the watch has no battery, wall clock or faults, commands for these do nothing.
    private mutating func obey(_ command: ScriptCommand) throws(ScriptError) {
        switch command {
        case .tap, .touch, .drag, .swipe, .crown, .press, .hold, .holdRow, .wrist, .hours, .repeat, .quit: break
        case .wait(let length): try pass(length)
        case .waitUntil(let condition, let limit): try wait(until: condition, within: limit)
        case .expect(let expectation): try judge(expectation)
        case .phone(let edit): try make(edit)
        case .screenshot(let file):
            let frame = try settled().frame
            try write(frame, to: place.path(of: file))
        case .record(let recording): try make(recording)
        case .time(let time): try set(time)
        case .restart: try restart(.restart)
        case .reset: try restart(.reset)
        case .save(let file): try save(to: file)
        case .load(let file): try load(file)
        case .battery(let change): device.battery?.make(change)
        case .describe: output(try settled().description.text)
        case .pause: device.control?.pause()
        case .resume: device.control?.resume()
        case .step: if let control = device.control { try step(control) }
        case .speed(let speed): device.control?.set(speed)
        case .fault(let change): device.make(change)
        }
    }

    private mutating func act(_ input: Input) {
        device.send(input)
        seen = .outdatedByInput
    }

    /// Ends a recording that the script started, but no other.
    private mutating func endOwnRecording() throws(ScriptError) {
        if endsOwnRecording, hasBegunRecording { try endRecording() }
    }

    /// Waits until the watch has handled every input, and returns a snapshot of that time. Throws if a tap hit nothing. If the
    /// watch is paused, returns its newest snapshot at once.
    mutating func settled() throws(ScriptError) -> WatchSnapshot {
        guard !device.isPaused else { return device.snapshot }
        switch device.settle(within: ScriptRunner.handlingLimit) {
        case .met(let snapshot):
            try judgeTouches(by: snapshot)
            return snapshot
        case .timedOut(let snapshot):
            throw error(
                .expectationFailed(
                    expected: "the watch to handle its next input within 300 s, up to input \(device.sent.count)",
                    found: "input \(snapshot.handled.count) as the last one handled"))
        case .stopped(let snapshot): throw error(ScriptRunner.problem(of: snapshot))
        }
    }

    static func problem(of snapshot: WatchSnapshot) -> ScriptError.Problem {
        switch snapshot.phase {
        case .running, .stopped: .other("the watch has stopped")
        case .failed(let reason): .other(reason)
        }
    }

    func error(_ problem: ScriptError.Problem) -> ScriptError {
        ScriptError(problem, at: place)
    }
}

extension ScriptRunner {
    /// Throws if a statement needs a phone but the script has no phone. Also throws if a statement needs real time but the
    /// watch runs on virtual time. The caller calls this function before the first statement runs.
    func check(_ statements: [ScriptStatement<ScriptCommand>]) throws(ScriptError) {
        for statement in statements {
            switch statement.command {
            case .pause: try demandRealTime("pause", statement)
            case .resume: try demandRealTime("resume", statement)
            case .step: try demandRealTime("step", statement)
            case .speed: try demandRealTime("speed", statement)
            case .phone: if phone == nil { throw ScriptError(.noPhone("phone"), at: statement.place) }
            case .repeat(_, let inner): try check(inner)
            case .tap, .touch, .drag, .swipe, .crown, .press, .hold, .holdRow, .wrist, .hours, .wait, .waitUntil,
                .expect, .screenshot, .record, .fault, .time, .restart, .reset, .save, .load, .battery, .describe,
                .quit:
                break
            }
        }
    }

    private func demandRealTime(_ command: String, _ statement: ScriptStatement<ScriptCommand>) throws(ScriptError) {
        guard device.control == nil else { return }
        throw ScriptError(
            .other("\(command) needs a watch in real time: leave out --with-phone, whose watch waits for nothing"),
            at: statement.place)
    }

    /// How long to wait for the end of a single step.
    private static let stepLimit = Microseconds.seconds(30)

    /// Lets the clock run until the next event on the watch. If no event comes within `stepLimit`, pauses the watch and
    /// throws.
    func step(_ control: ClockControl) throws(ScriptError) {
        control.step()
        let outcome = device.wait(patiently: ScriptRunner.stepLimit) { _ in control.state.isPaused }
        switch outcome {
        case .met: break
        case .timedOut:
            control.pause()
            throw error(.other("step: nothing happened for 30 s"))
        case .stopped(let snapshot): throw error(ScriptRunner.problem(of: snapshot))
        }
    }
}
