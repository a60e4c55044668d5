import DeviceModel
import SampleHandlers
import Synchronization
import TapLatency
import Testing
import Watch
import WatchLink

/// The program on the phone that keeps the time. `tick` advances its time.
final class PhoneStopwatch: Sendable {
    enum State: Equatable {
        case stopped(at: UInt32)
        case running(from: UInt32)

        var seconds: UInt32 {
            switch self {
            case .stopped(let seconds), .running(let seconds): seconds
            }
        }
    }

    private let state = Mutex(State.stopped(at: 0))
    private let saves = Mutex<[UInt32]>([])

    var saved: [UInt32] { saves.withLock { $0 } }
    var now: State { state.withLock { $0 } }

    func serve(_ bench: WatchBench<StopwatchHandler>) {
        bench.answer("stopwatch/start") { [self] _ in
            change { .running(from: $0.seconds) }
        }
        bench.answer("stopwatch/pause") { [self] _ in
            change { .stopped(at: $0.seconds) }
        }
        bench.answer("stopwatch/save") { [self] _ in
            saves.withLock { $0.append(now.seconds) }
            return now.seconds
        }
    }

    /// Passes the elapsed time to the watch if the stopwatch runs. Then lets one second of virtual time pass.
    func tick(_ bench: WatchBench<StopwatchHandler>) {
        switch change(to: { if case .running(let seconds) = $0 { .running(from: seconds + 1) } else { $0 } }) {
        case .running(let seconds): bench.pass(latest: "stopwatch/elapsed", seconds)
        case .stopped: break
        }
        bench.run(for: .seconds(1))
    }

    private func change(_ change: (State) -> State) -> UInt32 { self.change(to: change).seconds }

    private func change(to change: (State) -> State) -> State {
        state.withLock { state in
            state = change(state)
            return state
        }
    }
}

private func connectedBench() throws -> WatchBench<StopwatchHandler> {
    let bench = try WatchBench(counted: 3, handler: StopwatchHandler())
    bench.connect()
    return bench
}

extension WatchBench<StopwatchHandler> {
    fileprivate var says: String? { snapshot.description.sheet?.text }

    /// Taps a button of the sheet, and gives the phone 500 ms to answer.
    fileprivate func press(_ button: Int16) {
        send(.tap(x: 24 + 48 * button, y: 150))
        run(for: .milliseconds(500))
    }
}

@Test func `The phone's stopwatch opens the sheet, and its time follows every second`() throws {
    let (bench, stopwatch) = (try connectedBench(), PhoneStopwatch())
    stopwatch.serve(bench)
    bench.pass(latest: "stopwatch/elapsed", 0 as UInt32)
    bench.run { $0.description.screen == .sheet }
    #expect(bench.snapshot.description.sheet?.buttons == ["Start", "Pause", "Save"])
    bench.press(0)
    for second in 1...65 {
        stopwatch.tick(bench)
        #expect(bench.says == (second < 60 ? "00:" : "01:") + (second % 60 < 10 ? "0" : "") + "\(second % 60)")
    }
}

@Test func `Start, pause and save reach the phone, and its answers the watch`() throws {
    let (bench, stopwatch) = (try connectedBench(), PhoneStopwatch())
    stopwatch.serve(bench)
    bench.pass(latest: "stopwatch/elapsed", 0 as UInt32)
    bench.run { $0.description.screen == .sheet }
    bench.press(0)
    #expect(stopwatch.now == .running(from: 0))
    for _ in 0..<12 { stopwatch.tick(bench) }
    bench.press(1)
    #expect(stopwatch.now == .stopped(at: 12))
    for _ in 0..<3 { stopwatch.tick(bench) }
    #expect(bench.says == "00:12")
    bench.press(2)
    #expect(stopwatch.saved == [12])
    #expect(bench.snapshot.haptics.pulses.last?.pattern == .click)
}

@Test func `A saved time waits for a watch without a link, and is given once`() throws {
    let bench = try connectedBench()
    bench.disconnect()
    bench.pass(queued: "stopwatch/laps", 75 as UInt32)
    bench.run(for: .seconds(1))
    bench.connect()
    bench.run(for: .seconds(1))
    #expect(bench.snapshot.haptics.pulses.map(\.pattern) == [.success])
}

@Test func `A phone without the program, and none at all, are said at once`() throws {
    let bench = try connectedBench()
    bench.pass(latest: "stopwatch/elapsed", 0 as UInt32)
    bench.run { $0.description.screen == .sheet }
    bench.press(0)
    #expect(bench.says == "No stopwatch on the phone")
    bench.disconnect()
    bench.run(for: .seconds(1))
    bench.press(0)
    #expect(bench.says == "No phone")
}

@Test func `The list is checked off as on every watch while the stopwatch runs`() throws {
    let (bench, stopwatch) = (try connectedBench(), PhoneStopwatch())
    stopwatch.serve(bench)
    bench.pass(latest: "stopwatch/elapsed", 0 as UInt32)
    bench.run { $0.description.screen == .sheet }
    bench.press(0)
    bench.send(.press(.crown))
    for _ in 0..<3 {
        stopwatch.tick(bench)
        bench.tap(0)
        stopwatch.tick(bench)
    }
    #expect(bench.checkOffs == [1, 2, 3])
    #expect(bench.snapshot.description.screen == .list)
    bench.send(.press(.crown))
    bench.send(.hold(.crown))
    #expect(bench.says == "00:06")
}

@Test func `The time that was shown last is there after the watch has lost its power`() throws {
    let bench = try connectedBench()
    bench.pass(latest: "stopwatch/elapsed", 42 as UInt32)
    bench.run(for: .seconds(1))
    bench.disconnect()
    bench.run(for: .seconds(1))
    try bench.restart()
    bench.run(for: .seconds(1))
    bench.send(.press(.crown))
    bench.send(.hold(.crown))
    #expect(bench.says == "00:42")
}

/// A chequered flag in the PBM format: 96 x 64 pixels, in squares of 16 x 16.
private let flag = PhoneFile(
    label: "flag.pbm",
    content: Array("P4\n96 64\n".utf8)
        + (0..<64).flatMap { line in
            (0..<12).map { (line / 16 + $0 / 2) % 2 == 0 ? 0x00 : 0xFF as UInt8 }
        },
    transfer: 1)

extension WatchBench<StopwatchHandler> {
    fileprivate func isWhite(x: Int, y: Int) -> Bool {
        snapshot.frame.bytes[y * 18 + x / 8] & 0x80 >> UInt8(x % 8) != 0
    }
}

@Test func `A picture of the runner arrives as a file and is drawn on the sheet`() throws {
    let bench = try connectedBench()
    bench.send(flag)
    #expect(bench.run { $0.description.sheet?.text == "picture 96 x 64" })
    bench.run(for: .seconds(1))
    #expect(bench.fileStates == [1: .stored])
    // The picture is centred in the area of 144 x 100 pixels between the title and the buttons.
    let (left, top) = (24, 24 + 18)
    for line in 0..<64 {
        for column in 0..<96 {
            #expect(bench.isWhite(x: left + column, y: top + line) == ((line / 16 + column / 16) % 2 == 0))
        }
    }
    // The next second shows the time.
    bench.pass(latest: "stopwatch/elapsed", 7 as UInt32)
    bench.run(for: .seconds(1))
    #expect(bench.says == "00:07")
}

@Test func `A picture arrives through lost links and a restart of the watch, and is there after another`() throws {
    let bench = try connectedBench()
    bench.send(flag)
    for _ in 0..<3 {
        bench.run(for: .milliseconds(300))
        bench.disconnect()
        bench.run(for: .seconds(1))
        bench.connect()
    }
    try bench.restart()
    bench.connect()
    #expect(bench.run { $0.description.sheet?.text == "picture 96 x 64" })
    #expect(bench.run { _ in bench.fileStates == [1: .stored] })
    try bench.restart()
    #expect(bench.run { $0.description.sheet?.text == "picture 96 x 64" })
}
