import Foundation
import TestDoubles
import Watch
import WatchLink

@testable import DeviceModel
@testable import Emulator

/// Tapline's firmware on its emulated board, and a phone at the other end of the serial line. Both run on one virtual
/// clock.
final class ExecutedBench {
    let phone: InMemoryPhone
    private let image: FirmwareUnderTest
    private var radio: VirtualRadio
    private var runner: MachineRunner
    private let printed = Printed()
    private var finger: (x: Int16, y: Int16)?

    private final class Printed {
        var lines: [String] = []
    }

    init(_ image: FirmwareUnderTest, phone: InMemoryPhone, flash: SerialFlash = SerialFlash()) throws {
        (self.image, self.phone) = (image, phone)
        phone.calendar = .set(BoardCalendar.example, at: .start)
        (radio, runner) = try ExecutedBench.start(image, phone, flash, printed)
        run(for: .seconds(1))
    }

    private static func start(
        _ image: FirmwareUnderTest, _ phone: InMemoryPhone, _ flash: SerialFlash, _ printed: Printed
    ) throws -> (VirtualRadio, MachineRunner) {
        let clock = VirtualClock()
        let radio = VirtualRadio(to: phone, clock: clock, latency: .milliseconds(15))
        let machine = Machine(try image.load(), on: BoardDevices(image.model, flash: flash))
        let line = PhoneLine(radio, .virtual(clock))
        return (radio, MachineRunner(machine, phone: line, file: "test") { printed.lines.append($0) })
    }

    var machine: Machine {
        get { runner.machine }
        set { runner.machine = newValue }
    }

    var frame: PanelFrame? {
        let picture = machine.board.picture
        guard picture.width == PanelGeometry.width, picture.height == PanelGeometry.height else { return nil }
        var bytes = [UInt8](repeating: 0, count: PanelGeometry.bytesPerFrame)
        for (place, pixel) in picture.pixels.enumerated() where pixel != 0 {
            bytes[place / 8] |= 0x80 >> UInt8(place % 8)
        }
        return try? PanelFrame(bytes: bytes)
    }

    /// The haptic patterns since the last start, recognised by the lengths of the motor's pulses in milliseconds.
    /// `.success` has two pulses.
    var patterns: [HapticPattern] {
        let lengths = printed.lines.compactMap { $0.firstMatch(of: #/motor for (\d+)/#).flatMap { Int($0.1) } }
        let successes = lengths.indices.filter { 50..<100 ~= lengths[$0] }
        return lengths.indices.compactMap { index in
            switch lengths[index] {
            case ..<50: .click
            case ..<100: successes.firstIndex(of: index)?.isMultiple(of: 2) == true ? .success : nil
            case _: .failure
            }
        }
    }

    @discardableResult func play(_ line: String) throws -> String {
        _ = try runner.run(line: line)
        return printed.lines.last ?? ""
    }

    func run(for length: Microseconds) {
        do { try runner.advance(to: machine.now + length.count * 64) } catch {
            preconditionFailure("the firmware ended: \(error)")
        }
    }

    func connect() {
        radio.connect()
        for _ in 0..<6_000 where !phone.isSynchronized { run(for: .milliseconds(10)) }
    }

    func cut() { radio.cut() }

    func onPhone(_ change: (InMemoryPhone) -> Void) {
        radio.runPhone()
        change(phone)
        radio.runPhone()
    }

    func restart() throws {
        radio.cut()
        printed.lines = []
        (radio, runner) = try ExecutedBench.start(
            image, phone, SerialFlash(contents: machine.board.flash.contents), printed)
        run(for: .seconds(1))
    }

    func send(_ inputs: [Input]) { inputs.forEach(send) }

    func send(_ input: Input) {
        switch input {
        case .touch(let x, let y):
            light()
            // A wearer looks at the panel before the touch, and the finger stays for a moment.
            run(for: .milliseconds(50))
            touch(.touchDown(x: image.scaled(x), y: image.scaled(y)))
            run(for: .milliseconds(30))
            finger = (x, y)
        case .moved(let x, let y):
            touch(.touchMove(x: image.scaled(x), y: image.scaled(y)))
            finger = (x, y)
        case .lifted(let x, let y):
            // The touch controller reports a lift at the place of its last report, so the finger moves there first.
            if finger != nil, finger ?? (0, 0) != (x, y) { send(.moved(x: x, y: y)) }
            touch(.touchUp)
            finger = nil
        case .crown(let detents):
            apply(.turnCrown(detents: Int(detents)))
            run(for: Microseconds(UInt64(abs(Int(detents))) * 8_000 + 20_000))
        case .press(let button): press(button, for: .milliseconds(50))
        case .hold(let button): press(button, for: .milliseconds(1_100))
        case .pairing, .wrist, .clock: break
        }
    }

    private func press(_ button: Watch.Button, for length: Microseconds) {
        let pressed: BoardButton = button == .crown && image.board == .reference ? .crown : .side
        apply(.press(pressed))
        run(for: length)
        apply(.release(pressed))
        run(for: .milliseconds(30))
    }

    /// Lights a dark panel with a touch. The firmware does nothing else with that touch.
    private func light() {
        guard machine.board.picture.isDark else { return }
        touch(.touchDown(x: 1, y: 1))
        touch(.touchUp)
        run(for: .milliseconds(200))
    }

    /// Applies the input, and waits until the touch controller reports it. The controller scans every 40 ms at rest,
    /// and every 10 ms after a touch.
    private func touch(_ input: WearerInput) {
        apply(input)
        let edge = machine.board.touchEdge
        for _ in 0..<10 where machine.board.touchEdge == edge { run(for: .milliseconds(5)) }
        run(for: .milliseconds(5))
    }

    /// Applies the input. Ignores errors, because a lift without a finger on the panel causes an error.
    private func apply(_ input: WearerInput) {
        do throws(ScriptError) { try runner.apply(input) } catch {}
    }
}

struct FirmwareUnderTest {
    enum Board { case reference, pineTime }

    let board: Board
    let path: String

    static let reference = FirmwareUnderTest(.reference, "REFERENCE_FIRMWARE")
    static let pineTime = FirmwareUnderTest(.pineTime, "PINETIME_FIRMWARE")

    private init?(_ board: Board, _ variable: String) {
        guard let path = ProcessInfo.processInfo.environment[variable] else { return nil }
        (self.board, self.path) = (board, path)
    }

    func bytes() throws -> [UInt8] { try HostFile.readWhole(path) }

    func load() throws -> FirmwareImage { try FirmwareImage(bytes()) }

    var model: BoardModel {
        switch board {
        case .reference: .reference
        case .pineTime: .pineTime
        }
    }

    /// Converts a coordinate of the memory LCD's picture to a coordinate of the board's panel.
    func scaled(_ place: Int16) -> Int {
        switch board {
        case .reference: Int(place)
        case .pineTime: min(Int(place) * 3 / 2, 239)
        }
    }
}
