import DeviceModel
import Foundation
import Watch
import WatchLink

@testable import FirmwareWatch

/// What a scenario does, step by step.
enum ParityStep {
    case send(Input)
    case tap(row: Int)
    case connect
    case cut
    case add(UInt32, String)
    case remove(UInt32)
    case rename(UInt32, String)
    case timeline([ComplicationEntry])
    case run(Microseconds)
    case restart
}

/// A watch and a phone on one virtual clock.
protocol ParityBench: AnyObject {
    var phone: SimulatedPhone { get }
    var snapshot: WatchSnapshot { get }
    func connect()
    func cut()
    func onPhone(_ change: (SimulatedPhone) -> Void)
    func send(_ input: Input)
    func run(for length: Microseconds)
    func restart() throws
}

extension ParityBench {
    func perform(_ step: ParityStep) throws {
        switch step {
        case .send(let input): send(input)
        case .tap(let row): send(.touch(x: 60, y: Int16(RowGeometry.rowTop(row) + RowGeometry.rowHeight / 2)))
        case .connect: connect()
        case .cut: cut()
        case .add(let id, let title): onPhone { $0.add(PhoneItem(id: id, title: title)) }
        case .remove(let id): onPhone { $0.remove(id) }
        case .rename(let id, let title): onPhone { $0.rename(id, to: title) }
        case .timeline(let entries): onPhone { $0.send(timeline: entries) }
        case .run(let length): run(for: length)
        case .restart: try restart()
        }
    }
}

extension DeviceProfile {
    /// The memory LCD without a touch controller: on the firmware's machine a finger is an interrupt at once.
    static var asTheFirmware: DeviceProfile {
        var profile = DeviceProfile.memoryLCD
        profile.touch = TouchCost(scanInterval: .zero)
        return profile
    }
}

/// The simulated watch: the same runtime on a board made of software.
extension WatchBench: ParityBench {
    func cut() { radio.cut() }
}

/// The firmware, at the host's pace.
final class FirmwareBench: ParityBench {
    let phone: SimulatedPhone
    private let directory: TemporaryDirectory
    private let image: String
    private var radio: VirtualRadio
    /// Nil between two starts.
    private var watch: VirtualWatch<FirmwareProgram>?

    init(image: String, phone: SimulatedPhone) throws {
        self.image = image
        self.phone = phone
        directory = try TemporaryDirectory()
        (radio, watch) = try FirmwareBench.start(image, directory, phone, seed: 7)
    }

    private static func start(
        _ image: String, _ directory: TemporaryDirectory, _ phone: SimulatedPhone, seed: UInt64
    ) throws -> (VirtualRadio, VirtualWatch<FirmwareProgram>) {
        let clock = VirtualClock()
        let radio = VirtualRadio(to: phone, clock: clock, latency: .milliseconds(15))
        let program = try FirmwareProgram(
            image: image, flash: FirmwareFlash(path: directory.file("flash")), radio: radio, clock: .virtual(clock),
            calendar: LocalTime(seconds: 1_795_169_310), seed: seed)
        return (radio, try VirtualWatch(running: program))
    }

    var snapshot: WatchSnapshot { watch?.snapshot ?? WatchSnapshot() }

    func connect() {
        radio.connect()
        _ = watch?.wait(for: .seconds(60)) { $0.description.synchronization == .synchronized }
    }

    func cut() { radio.cut() }

    func onPhone(_ change: (SimulatedPhone) -> Void) {
        change(phone)
        radio.runPhone()
    }

    func send(_ input: Input) {
        watch?.send(input)
        _ = watch?.settle()
    }

    /// Sends inputs without waiting in between, and runs until all are handled. Returns whether they are.
    func burst(_ inputs: [Input]) -> Bool {
        for input in inputs { watch?.send(input) }
        switch watch?.settle(within: .seconds(600)) {
        case .met: return true
        case .timedOut, .stopped, nil: return false
        }
    }

    func run(for length: Microseconds) {
        _ = watch?.wait(for: length) { _ in false }
    }

    func restart() throws {
        radio.cut()
        // The machine ends with the watch, and leaves its flash to the next one.
        watch = nil
        (radio, watch) = try FirmwareBench.start(image, directory, phone, seed: 8)
    }
}

/// The image under test, which `FIRMWARE` names.
enum FirmwareUnderTest {
    static var image: String? { ProcessInfo.processInfo.environment["FIRMWARE"] }
}
