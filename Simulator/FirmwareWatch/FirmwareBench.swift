import DeviceModel
import Foundation
import Watch
import WatchLink

/// The firmware in an emulator, a phone and the radio link between them on one virtual clock: `WatchBench` with the image in the
/// watch's place.
///
/// The clock stands while the runtime is idle, so what a run says is the same on every machine.
package final class FirmwareBench {
    package let phone: SimulatedPhone
    private let image: String
    private let directory: TemporaryDirectory
    private var radio: VirtualRadio
    /// Nil between two starts.
    private var watch: VirtualWatch<FirmwareProgram>?

    /// A bench with the image switched on, not connected yet.
    ///
    /// - Parameters:
    ///   - image: the ELF file.
    ///   - phone: the phone.
    ///   - seed: randomness for the watch's identity.
    /// - Throws: `FirmwareError`, `FlashFileError` or `DeviceModelError`, as when there is no such image or no emulator; or what
    ///   Foundation says where there is no room for the file of the flash chip.
    package init(image: String, phone: SimulatedPhone, seed: UInt64 = 7) throws {
        self.image = image
        self.phone = phone
        phone.calendar = .set(FirmwareBench.startTime, at: .start)
        directory = try TemporaryDirectory()
        (radio, watch) = try FirmwareBench.start(image, directory, phone, seed)
    }

    /// Friday, 2026-11-20 10:08:30, as on `WatchBench`.
    private static let startTime = LocalTime(seconds: 1_795_169_310)

    private static func start(
        _ image: String, _ directory: TemporaryDirectory, _ phone: SimulatedPhone, _ seed: UInt64
    ) throws -> (VirtualRadio, VirtualWatch<FirmwareProgram>) {
        let clock = VirtualClock()
        let radio = VirtualRadio(to: phone, clock: clock, latency: .milliseconds(15))
        let program = try FirmwareProgram(
            image: image, flash: FirmwareFlash(path: directory.file("flash")), radio: radio, clock: .virtual(clock),
            calendar: startTime, seed: seed)
        return (radio, try VirtualWatch(running: program))
    }

    package var snapshot: WatchSnapshot { watch?.snapshot ?? WatchSnapshot() }

    /// What has come out of the watch since it was switched on.
    package var output: BoardOutput { watch?.output ?? BoardOutput() }

    /// Opens a channel to the phone and waits until both are in sync.
    package func connect() {
        radio.connect()
        _ = watch?.wait(for: .seconds(60)) { $0.description.synchronization == .synchronized }
    }

    package func cut() { radio.cut() }

    /// Changes something on the phone, which then sends the change to the watch.
    package func onPhone(_ change: (SimulatedPhone) -> Void) {
        change(phone)
        radio.runPhone()
    }

    /// Does what the wearer would, and runs until the watch has handled it.
    package func send(_ input: Input) {
        _ = burst([input])
    }

    /// Does what the wearer would, all at one time, and runs until the watch has handled it.
    package func send(_ inputs: [Input]) {
        _ = burst(inputs)
    }

    /// Taps the row at a position on the panel, and runs until the watch has handled it.
    package func tap(_ position: Int) {
        send(.tap(row: position))
    }

    /// Sends inputs without waiting in between, and runs until all are handled. Returns whether they are.
    package func burst(_ inputs: [Input]) -> Bool {
        for input in inputs { watch?.send(input) }
        switch watch?.settle(within: .seconds(600)) {
        case .met: return true
        case .timedOut, .stopped, nil: return false
        }
    }

    /// Runs for a length of virtual time.
    package func run(for length: Microseconds) {
        _ = watch?.wait(for: length) { _ in false }
    }

    /// Takes the power away and gives it back: the watch starts again with what is in its flash, and is not connected.
    package func restart() throws {
        radio.cut()
        // The machine ends with the watch, and leaves its flash to the next one.
        watch = nil
        (radio, watch) = try FirmwareBench.start(image, directory, phone, 8)
    }
}

/// A directory of files that go with this value.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/tapline-firmware-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// What the stages of a tap execute on the firmware's image, counted in the emulator, which executes one instruction in 16 ns.
package struct FirmwareStages: Equatable, Sendable {
    /// Instructions of each stage by its name: the mean of the taps. Each tap is exact to the board's timer, three
    /// instructions at either end.
    package let instructions: [String: Double]

    /// Taps the first row so often, with all the time in the world between the taps.
    ///
    /// - Parameters:
    ///   - image: the ELF file.
    ///   - phone: the phone, whose list is at least as long as there are taps.
    ///   - taps: the number of taps.
    /// - Throws: why the firmware does not run, as `FirmwareBench`.
    package static func measure(image: String, phone: SimulatedPhone, taps: Int) throws -> FirmwareStages {
        let bench = try FirmwareBench(image: image, phone: phone)
        bench.connect()
        // The list that has just come is in the journal, and the sectors behind it are erased.
        bench.run(for: .seconds(2))
        var sums: [String: (instructions: Int, count: Int)] = [:]
        for _ in 0..<taps {
            bench.tap(0)
            bench.run(for: .seconds(1))
            for stage in bench.output.taps.histories.last?.stages ?? [] {
                guard let instructions = stage.instructions else { continue }
                sums[stage.name, default: (0, 0)].instructions += instructions
                sums[stage.name, default: (0, 0)].count += 1
            }
        }
        return FirmwareStages(instructions: sums.mapValues { Double($0.instructions) / Double($0.count) })
    }
}
