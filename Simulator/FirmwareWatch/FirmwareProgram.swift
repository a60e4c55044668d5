import DeviceModel
import Glibc
import MPS2Memory
import Watch
import WatchLink

/// The firmware in an emulator, as a program for `SimulatedWatch` and `VirtualWatch`. On a real clock it runs by itself; on a
/// virtual clock, only when the host lets it.
///
/// `start` switches it on. It ends with the thread that called `start`, or with this value.
package struct FirmwareProgram: WatchProgram {
    package let surface: FirmwareSurface

    /// - Parameters:
    ///   - image: the ELF file.
    ///   - radio: the host's side of the radio.
    ///   - calendar: the first time of the wall clock; nil for an unset one.
    ///   - seed: randomness for the identity of a watch whose flash holds none.
    /// - Throws: `FirmwareError` if there is no image to run, or no emulator.
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

    /// The list has only the rows on the panel.
    package mutating func describe() -> ScreenDescription {
        surface.description
    }
}
