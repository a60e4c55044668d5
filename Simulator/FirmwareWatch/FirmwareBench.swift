import DeviceModel
import Foundation
import Watch
import WatchLink

/// The firmware in the QEMU emulator, a phone and the radio link between them, on one virtual clock. It is like a `WatchBench`
/// whose watch is the firmware.
///
/// The emulator's clock stands still while the runtime is idle, so the same run has the same output on every machine.
package final class FirmwareBench {
    package let phone: SimulatedPhone
    private let image: String
    private let directory: TemporaryDirectory
    private var radio: VirtualRadio
    /// Nil during a restart of the watch.
    private var watch: VirtualWatch<FirmwareProgram>?

    /// Creates a bench with a running watch that is not connected.
    ///
    /// - Throws: `FirmwareError`, `FlashFileError` or `DeviceModelError`, for example if there is no image or no emulator. An
    ///   error of Foundation if the flash file cannot be created.
    package init(image: String, phone: SimulatedPhone, seed: UInt64 = 7) throws {
        self.image = image
        self.phone = phone
        phone.change { $0.calendar = .set(BoardCalendar.example, at: .start) }
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

    package func onPhone(_ change: (inout PhoneState) -> Void) {
        phone.change(change)
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

    /// Sends inputs at one time, and runs until the watch has handled them. Returns false if it does not handle them in time.
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

    /// Cuts and restores the watch's power. The watch keeps its flash, and is not connected afterwards.
    package func restart() throws {
        radio.cut()
        // The machine must end first, because it locks its flash file.
        watch = nil
        (radio, watch) = try FirmwareBench.start(image, directory, phone, 8)
    }
}

/// A directory that is removed when this object is deallocated.
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
