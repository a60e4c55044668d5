import Glibc
import Watch
import WatchLink

/// Runs a script on a watch.
///
/// A command that reads the screen (`expect`, `describe`, `screenshot`, `wait until synced`) and the end of the script
/// first wait until the watch has handled every earlier input, and for nothing else. A touch first waits until the watch
/// has handled a turn or a press before it, and until the panel has rested for a scan of the touch controller. One that
/// follows another touch directly does not: several fingers come down on what was seen before the first.
package struct ScriptRunner {
    /// How long the watch may take to handle what was done before the script gives up: 30 s.
    package static let handlingLimit = Microseconds.seconds(30)

    /// Whether a script goes on.
    package enum Progress: Sendable, Equatable {
        /// The next line is to be run.
        case goesOn
        /// The script asked to quit.
        case quit
    }

    /// Whether the script has looked at the panel before it touches it.
    private enum Look {
        /// It has, and has done nothing since but touch what it saw.
        case taken
        /// Something may have changed since.
        case due
        /// It has turned the crown or pressed a button since.
        case dueAfterInput
    }

    let device: any WatchDevice
    private let parser: ScriptParser
    private let screenshotScale: Int
    private let output: (String) -> Void
    private var look = Look.due
    /// The number of the last line that was run.
    private var line = 0

    /// A runner for `device`.
    ///
    /// - Parameters:
    ///   - file: the script's name, for errors.
    ///   - screenshotScale: how many pixels of a screenshot one pixel of the panel makes, 1 to 16.
    ///   - output: takes what `describe` prints, whole lines at a time.
    package init(
        _ device: any WatchDevice, file: String, screenshotScale: Int = 1, output: @escaping (String) -> Void
    ) {
        self.device = device
        parser = ScriptParser(file: file)
        self.screenshotScale = screenshotScale
        self.output = output
    }

    /// Runs a whole script, after parsing every line. It returns when the script has ended or quit and the watch has
    /// handled every input.
    ///
    /// - Throws: a `ScriptError` for the first line that is wrong or whose expectation failed.
    package mutating func run(script text: String) throws(ScriptError) {
        for statement in try parser.statements(in: text) {
            switch try run(statement) {
            case .goesOn: break
            case .quit: return
            }
        }
        try finish()
    }

    /// Runs one more line of a script that comes line by line, such as standard input. After the last one call `finish`.
    package mutating func run(line text: String) throws(ScriptError) -> Progress {
        line += 1
        guard let statement = try parser.statement(in: text, number: line) else { return .goesOn }
        return try run(statement)
    }

    /// Waits until the watch has handled everything in the script.
    package func finish() throws(ScriptError) {
        _ = try settled()
    }

    private mutating func run(_ statement: ScriptStatement) throws(ScriptError) -> Progress {
        line = statement.line
        switch statement.command {
        case .tap(let row):
            try touch(.touch(row: row))
            return .goesOn
        case .touch(let x, let y):
            try touch(.touch(x: x, y: y))
            return .goesOn
        case .crown(let detents): act(.crown(detents: detents))
        case .press(let button): act(.press(button))
        case .hold(let button):
            act(.press(button))
            act(.hold(button))
        case .wait(let length): try pass(length)
        case .waitUntilSynchronized(let limit): try waitUntilSynchronized(within: limit)
        case .expect(let expectation): try judge(expectation)
        case .screenshot(let file): try writeScreenshot(to: file)
        case .describe: output(try settled().description.text)
        case .pause: try control("pause").pause()
        case .resume: try control("resume").resume()
        case .step: try step(try control("step"))
        case .speed(let speed): try control("speed").set(speed)
        case .fault(let change): try make(change)
        case .quit:
            try finish()
            return .quit
        }
        if look == .taken { look = .due }
        return .goesOn
    }

    private mutating func touch(_ input: Input) throws(ScriptError) {
        if look == .dueAfterInput { _ = try settled() }
        if look != .taken { device.look() }
        look = .taken
        device.sendHavingLooked(input)
    }

    private mutating func act(_ input: Input) {
        device.send(input)
        look = .dueAfterInput
    }

    private func pass(_ length: Microseconds) throws(ScriptError) {
        guard !device.isPaused else { throw error(.paused("wait")) }
        switch device.wait(for: length, until: { _ in false }) {
        case .met, .timedOut: break
        case .stopped(let snapshot): throw error(ScriptRunner.problem(of: snapshot))
        }
    }

    private func waitUntilSynchronized(within limit: Microseconds) throws(ScriptError) {
        guard !device.isPaused else { throw error(.paused("wait until synced")) }
        let newest = device.sent
        let outcome = device.wait(patiently: limit) { snapshot in
            snapshot.handled >= newest && snapshot.description.synchronization == .synchronized
        }
        switch outcome {
        case .met: break
        case .timedOut(let snapshot):
            throw error(
                .expectationFailed(
                    expected: "watch and phone to be in sync within \(limit.count / 1_000) ms",
                    found: snapshot.description.linkLine))
        case .stopped(let snapshot): throw error(ScriptRunner.problem(of: snapshot))
        }
    }

    private func judge(_ expectation: ScriptExpectation) throws(ScriptError) {
        let verdict = expectation.verdict(on: try settled().description)
        switch verdict {
        case .met: break
        case .failed(let expected, let found): throw error(.expectationFailed(expected: expected, found: found))
        }
    }

    private func writeScreenshot(to file: String) throws(ScriptError) {
        let frame = try settled().frame
        do throws(DeviceModelError) {
            try HostFile.write(try frame.portableNetworkGraphics(scale: screenshotScale), to: file)
        } catch {
            throw self.error(.cannotWrite(file: file, reason: "\(error)"))
        }
    }

    /// The first snapshot in which everything in the script so far has been handled; of a watch that is paused the last one.
    private func settled() throws(ScriptError) -> WatchSnapshot {
        guard !device.isPaused else { return device.snapshot }
        switch device.settle(within: ScriptRunner.handlingLimit) {
        case .met(let snapshot): return snapshot
        case .timedOut(let snapshot):
            throw error(
                .expectationFailed(
                    expected: "the watch to handle input \(device.sent.count) within 30 s",
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
        ScriptError(problem, file: parser.file, line: line)
    }
}
