import DeviceModel
import Glibc
import MPS2Memory
import Watch
import WatchLink

/// The watch's firmware in an emulator, as a program for `SimulatedWatch`, on whose clock it runs by itself, and for
/// `VirtualWatch`, at whose pace it runs.
///
/// It is switched on by `start`, and off with the thread that called that, or with this value.
package struct FirmwareProgram: WatchProgram {
    package let surface: FirmwareSurface

    /// The firmware of an image.
    ///
    /// - Parameters:
    ///   - image: the ELF file.
    ///   - flash: the flash chip.
    ///   - radio: the host's side of the radio.
    ///   - clock: real or virtual.
    ///   - calendar: what the wall clock shows when it is switched on, nil for an unset one.
    ///   - seed: randomness for the identity of a watch whose flash holds none.
    /// - Throws: `FirmwareError` when there is no image that can be run, or nothing that runs it.
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

    /// Switches the machine on and waits for the first picture.
    package mutating func start() {
        surface.start()
    }

    /// Hears what the firmware says and tells it what there is to tell.
    package mutating func step() -> NextStep {
        surface.step()
    }

    /// What the screen says: what is on the panel, and of the list the rows that are.
    package mutating func describe() -> ScreenDescription {
        surface.description
    }
}
