import Glibc
import Watch
import WatchLink

/// Runs a script on a watch.
///
/// A command that reads the screen (`expect`, `describe`, `screenshot`, `wait until …`) and the end of the script
/// first wait until the watch has handled every earlier input, and for nothing else. A touch first waits until the watch
/// has handled a turn or a press before it, and until the panel has rested for a scan of the touch controller. One that
/// follows another touch directly does not: several fingers come down on what was seen before the first.
///
/// A `tap` that the watch has handled and that has begun no tap fails the script, at the next command that is no input.
package struct ScriptRunner {
    /// How long a watch may take to handle what was done: 300 s. An emulator on a busy machine is slow with a burst of inputs.
    private static let handlingLimit = Microseconds.seconds(300)

    /// Whether a script goes on.
    package enum Progress: Sendable, Equatable {
        /// The next line is to be run.
        case goesOn
        /// The script asked to quit.
        case quit
    }

    /// Whether this is a whole script, with which what it has begun ends, or a part of what somebody does with the watch.
    package enum Extent: Sendable {
        case whole
        case part
    }

    enum Recordings {
        case none
        case begun
    }

    /// Whether the script has looked at the panel before it touches it.
    enum Look {
        /// It has, at this screen, and has done nothing since but touch what it saw.
        case taken(ScreenDescription)
        /// Something may have changed since.
        case due
        /// It has turned the crown or pressed a button since.
        case dueAfterInput
    }

    let device: any WatchDevice
    let phone: (any ScriptPhone)?
    let screenshotScale: Int
    let extent: Extent
    /// The kinds of recordings.
    let formats: [any RecordingFormat]
    /// Whether this script has begun a recording.
    var recordings = Recordings.none
    private let parser: ScriptParser
    let output: (String) -> Void
    var look = Look.due
    /// The touches of which it is not known yet whether a tap began, oldest first.
    var touches: [PendingTouch] = []
    /// The haptic patterns that had been played when a script began, or at its last `expect haptics`.
    var hapticsBefore: Int
    /// Where the command is that is being run.
    var place: ScriptPlace
    private var blocks = ScriptBlocks()
    private var line = 0

    /// A runner for `device`.
    ///
    /// - Parameters:
    ///   - file: the script's name, for errors; the files that it names are relative to the directory in it.
    ///   - phone: the script's own phone, nil where it has none.
    ///   - screenshotScale: how many pixels of a screenshot one pixel of the panel makes, 1 to 16.
    ///   - extent: whether a recording that it begins ends with it.
    ///   - formats: the kinds of recordings.
    ///   - output: takes what `describe` prints, whole lines at a time.
    package init(
        _ device: any WatchDevice, file: String, phone: (any ScriptPhone)? = nil, screenshotScale: Int = 1,
        extent: Extent = .whole, formats: [any RecordingFormat] = [GIFRecording()],
        output: @escaping (String) -> Void
    ) {
        self.device = device
        self.extent = extent
        self.formats = formats
        self.phone = phone
        self.screenshotScale = screenshotScale
        self.output = output
        parser = .ofFiles(file)
        place = ScriptPlace(file: file, line: 0)
        hapticsBefore = device.snapshot.haptics.count
    }

    /// Runs a whole script, after parsing every line. It returns when the script has ended or quit and the watch has
    /// handled every input.
    ///
    /// - Throws: a `ScriptError` for the first line that is wrong or that this watch cannot do, or whose expectation failed.
    package mutating func run(script text: String) throws(ScriptError) {
        let statements = try parser.statements(in: text)
        try check(statements)
        do throws(ScriptError) {
            switch try run(statements) {
            case .goesOn: try finish()
            case .quit: try endOwnRecording()
            }
        } catch {
            // The recording shows what went wrong. Where it cannot be written either, the first error counts.
            try? endOwnRecording()
            throw error
        }
    }

    /// Runs one more line of a script that comes line by line, such as standard input. What is in a `repeat` is run at its
    /// `end`. After the last one call `finish`.
    package mutating func run(line text: String) throws(ScriptError) -> Progress {
        line += 1
        try parser.read(line: text, number: line, into: &blocks)
        guard blocks.depth == 0 else { return .goesOn }
        let statements = blocks.take()
        try check(statements)
        return try run(statements)
    }

    /// Waits until the watch has handled everything in the script.
    package mutating func finish() throws(ScriptError) {
        try blocks.requireEnd()
        _ = try settled()
        try endOwnRecording()
    }

    private mutating func run(_ statements: [ScriptStatement]) throws(ScriptError) -> Progress {
        for statement in statements {
            switch try run(statement) {
            case .goesOn: break
            case .quit: return .quit
            }
        }
        return .goesOn
    }

    private mutating func run(_ statement: ScriptStatement) throws(ScriptError) -> Progress {
        place = statement.place
        switch statement.command {
        case .tap(let row, .mustHit): try touch(.tap(row: row - 1), row: row)
        case .tap(let row, .mayMiss): try touch(.tap(row: row - 1))
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
            for _ in 0..<times {
                switch try run(statements) {
                case .goesOn: break
                case .quit: return .quit
                }
            }
        case .quit:
            _ = try settled()
            return .quit
        case .wait, .waitUntil, .expect, .phone, .screenshot, .record, .time, .restart, .reset, .save, .load, .battery,
            .describe, .pause, .resume, .step, .speed, .fault:
            try obey(statement.command)
            lookAgain()
        }
        return .goesOn
    }

    /// Runs a command that is no input of the wearer's.
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
        case .battery(let change): try make(change)
        case .describe: output(try settled().description.text)
        case .pause: try control("pause").pause()
        case .resume: try control("resume").resume()
        case .step: try step(try control("step"))
        case .speed(let speed): try control("speed").set(speed)
        case .fault(let change): try make(change)
        }
    }

    private mutating func lookAgain() {
        switch look {
        case .taken: look = .due
        case .due, .dueAfterInput: break
        }
    }

    private mutating func act(_ input: Input) {
        device.send(input)
        look = .dueAfterInput
    }

    /// The first snapshot in which everything in the script so far has been handled; of a watch that is paused the last one.
    mutating func settled() throws(ScriptError) -> WatchSnapshot {
        guard !device.isPaused else { return device.snapshot }
        switch device.settle(within: ScriptRunner.handlingLimit) {
        case .met(let snapshot):
            try judgeTouches(by: snapshot)
            return snapshot
        case .timedOut(let snapshot):
            throw error(
                .expectationFailed(
                    expected: "the watch to handle input \(device.sent.count) within 300 s",
                    found: "input \(snapshot.handled.count) as the last one handled"))
        case .stopped(let snapshot): throw error(ScriptRunner.problem(of: snapshot))
        }
    }

    /// The error for a watch that no longer runs.
    static func problem(of snapshot: WatchSnapshot) -> ScriptError.Problem {
        switch snapshot.phase {
        case .running, .stopped: .watchStopped
        case .failed(let reason): .watchFailed(reason: reason)
        }
    }

    func error(_ problem: ScriptError.Problem) -> ScriptError {
        ScriptError(problem, at: place)
    }
}
