import DeviceModel
import Foundation
import Watch
import WatchLink

/// The firmware in an emulator, a phone and the radio link on one virtual clock: a `WatchBench` with the image as its watch.
///
/// The emulator's clock stands still while the runtime is idle, so a run has the same output on every machine.
package final class FirmwareBench {
    package let phone: SimulatedPhone
    private let image: String
    private let directory: TemporaryDirectory
    private var radio: VirtualRadio
    /// Nil during a restart.
    private var watch: VirtualWatch<FirmwareProgram>?

    /// A bench with the running image, not connected yet.
    ///
    /// - Throws: `FirmwareError`, `FlashFileError` or `DeviceModelError`, such as for a missing image or emulator; an error of
    ///   Foundation if there is no room for the flash file.
    package init(image: String, phone: SimulatedPhone, seed: UInt64 = 7) throws {
        self.image = image
        self.phone = phone
        phone.calendar = .set(BoardCalendar.example, at: .start)
        directory = try TemporaryDirectory()
        (radio, watch) = try FirmwareBench.start(image, directory, phone, seed)
    }

    private static func start(
        _ image: String, _ directory: TemporaryDirectory, _ phone: SimulatedPhone, _ seed: UInt64
    ) throws -> (VirtualRadio, VirtualWatch<FirmwareProgram>) {
        let clock = VirtualClock()
        let radio = VirtualRadio(to: phone, clock: clock, latency: .milliseconds(15))
        let program = try FirmwareProgram(
            image: image, flash: FirmwareFlash(path: directory.file("flash")), radio: radio, clock: .virtual(clock),
            calendar: BoardCalendar.example, seed: seed)
        return (radio, try VirtualWatch(running: program))
    }

    package var snapshot: WatchSnapshot { watch?.snapshot ?? WatchSnapshot() }

    package var output: BoardOutput { watch?.output ?? BoardOutput() }

    package func connect() {
        radio.connect()
        _ = watch?.wait(for: .seconds(60)) { $0.description.isSynchronized }
    }

    package func cut() { radio.cut() }

    package func onPhone(_ change: (SimulatedPhone) -> Void) {
        change(phone)
        radio.runPhone()
    }

    package func send(_ input: Input) {
        _ = burst([input])
    }

    package func send(_ inputs: [Input]) {
        _ = burst(inputs)
    }

    package func tap(_ position: Int) {
        send(.tap(row: position))
    }

    /// Sends inputs at one time, and runs until all are handled. Returns whether they are.
    package func burst(_ inputs: [Input]) -> Bool {
        for input in inputs { watch?.send(input) }
        switch watch?.settle(within: .seconds(600)) {
        case .met: return true
        case .timedOut, .stopped, nil: return false
        }
    }

    package func run(for length: Microseconds) {
        _ = watch?.wait(for: length) { _ in false }
    }

    /// Cuts and restores the power. The watch starts with its flash, and is not connected.
    package func restart() throws {
        radio.cut()
        // The machine ends with the watch, so the next one can lock its flash.
        watch = nil
        (radio, watch) = try FirmwareBench.start(image, directory, phone, 8)
    }
}

/// A directory that is removed with this value.
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
