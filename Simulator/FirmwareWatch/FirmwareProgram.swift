import DeviceModel
import Glibc
import MPS2Memory
import Watch
import WatchLink

/// The firmware in QEMU, as the program of a `SimulatedWatch` or `VirtualWatch`. On a real clock, the firmware runs freely. On
/// a virtual clock, it runs only while the simulator waits for it.
///
/// `start` starts the emulator. It ends with the thread that called `start`, or with this value.
package struct FirmwareProgram: WatchProgram {
    package let surface: FirmwareSurface

    /// - Parameters:
    ///   - image: the path of the ELF file.
    ///   - radio: the simulator's end of the radio.
    ///   - calendar: the wall clock's time at the start. Nil if it is not set.
    ///   - seed: seeds the identity of a watch if its flash holds none.
    /// - Throws: `FirmwareError` if the image cannot run, or if there is no emulator.
    package init(
        image: String, flash: consuming FirmwareFlash, radio: any RadioPort, clock: SimulatedClock,
        calendar: LocalTime?, seed: UInt64
    ) throws(FirmwareError) {
        try ImageFile.check(image)
        guard let emulator = QEMUCommand.find("qemu-system-arm") else { throw .noEmulator }
        let pacing: BootSettings.Pacing =
            switch clock {
            case .real: .free
            case .virtual: .paced
            }
        let command = QEMUCommand(
            emulator: emulator, image: image, flash: flash.path,
            settings: BootSettings(pacing: pacing, calendar: calendar, seed: seed))
        do throws(DeviceModelError) {
            surface = try FirmwareSurface(command, flash: flash, radio: radio, clock: clock)
        } catch {
            switch error {
            case .systemCall(let call, let number): throw .systemCall(call, errno: number)
            case .notAFile, .malformedImage, .encodingFailed:
                preconditionFailure("a queue of inputs has nothing to do with these: \(error)")
            }
        }
    }

    package mutating func start() {
        surface.start()
    }

    package mutating func step() -> NextStep {
        surface.step()
    }

    /// The screen. Of the list, it contains only the rows on the panel.
    package mutating func describe() -> ScreenDescription {
        surface.description
    }
}
